"""Processes that are set up as a worker of the cpu backend is, with kernels from real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.plugins import Backend, load_backends

KERNELS = Path(__file__).with_name("kernels")

WORKER = """
import json, sys
import torch
from kgb_core.plugins import load_backends
backend = load_backends(["cpu"]).get("cpu")
(device,) = backend.discover_devices()
if {prepared}:
    backend.prepare_worker(device)
sys.path.insert(0, {kernels!r})
import {module} as candidate
print(json.dumps(candidate.answer()))
"""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend, as it is installed."""
    return load_backends(["cpu"]).get("cpu")


@pytest.fixture(scope="session")
def answer_of(backend: Backend) -> Callable[..., Any]:
    """Runs the `answer` function of a file of `kernels/` in a worker's environment."""

    def run(module: str, prepared: bool = True) -> Any:
        (device,) = backend.discover_devices()
        code = WORKER.format(module=module, kernels=str(KERNELS), prepared=prepared)
        environment = {**os.environ, **backend.worker_environment(device)}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=False,
            env=environment,
            text=True,
            timeout=120,
        )
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    return run
