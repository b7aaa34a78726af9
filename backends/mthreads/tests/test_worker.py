"""What a worker gets: one device, torch_musa loaded by us, the MUSA back end of Triton."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgb_backend_mthreads import stack
from kgb_core.errors import BackendError
from kgb_core.models import Device
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins import Backend

DEVICE = Device(index=3, name="MTT S5000", uuid="00000000-0000-0000-0000-000000000003")

TORCH_MUSA = """
import time
from types import SimpleNamespace

import torch


class Event:
    '''Keeps the host's time.'''

    def __init__(self, enable_timing=False):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def elapsed_time(self, other):
        return 1e3 * (other.at - self.at)


waits = []
torch.musa = SimpleNamespace(Event=Event, synchronize=lambda: waits.append("all"))
"""
"""Gives torch a `musa` module, as torch_musa does, on a machine without the chip."""

WORKER = """
from unittest.mock import patch
import torch
from kgb_core.plugins import load_backends
from kgb_core.models import Device
backend = load_backends(["mthreads"]).get("mthreads")
device = Device(index=3, name="MTT S5000")
backend.prepare_worker(device)
with patch.object(torch, "get_device_module", lambda name: getattr(torch, name)), \\
     patch("torch.empty", lambda *a, device, **k: torch.zeros(1)):
    timer = backend.make_timer(device)
    backend.synchronize(device)
timer.start()
timer.stop()
print(timer.method.value, timer.elapsed_ns() > 0, torch.musa.synchronize.__globals__["waits"])
"""


def test_a_worker_is_pinned_and_loads_no_extension_by_itself(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: None)
    assert backend.worker_environment(DEVICE) == {
        "MUSA_VISIBLE_DEVICES": "3",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
    }


def test_one_of_several_triton_back_ends_is_chosen(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: "mthreads")
    assert backend.worker_environment(DEVICE)["TRITON_DEFAULT_BACKEND"] == "mthreads"


def test_a_broken_extension_does_not_stop_a_worker(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "broken_npu.py").write_text(
        "raise ImportError('libhccl.so: cannot open shared object file')\n"
    )
    info = tmp_path / "broken_npu-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-npu\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[torch.backends]\nbroken_npu = broken_npu:_autoload\n")
    command = [sys.executable, "-c", "import torch"]
    usual = {**os.environ, "PYTHONPATH": str(tmp_path)}
    plain = subprocess.run(command, env=usual, capture_output=True, check=False, text=True)
    ours = subprocess.run(
        command,
        env={**usual, **backend.worker_environment(DEVICE)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert "Failed to load the backend extension" in plain.stderr
    assert ours.returncode == 0, ours.stderr


def test_torch_musa_is_loaded_and_its_events_time(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "torch_musa.py").write_text(TORCH_MUSA)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), **backend.worker_environment(DEVICE)}
    done = subprocess.run(
        [sys.executable, "-c", WORKER], env=environment, capture_output=True, check=False, text=True
    )
    assert done.stdout == f"{TimingMethod.EVENTS.value} True ['all']\n", done.stderr


def test_without_torch_musa_the_error_names_it(backend: Backend) -> None:
    with pytest.raises(BackendError, match="kgb_prepare_worker failed") as raised:
        backend.prepare_worker(DEVICE)
    assert "No module named 'torch_musa'" in raised.value.why
