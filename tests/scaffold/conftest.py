"""A scratch environment with KGB as pip installs it, made by the script that times the walk-through."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "new_backend.py"


@pytest.fixture(scope="session")
def script() -> ModuleType:
    """`benchmarks/new_backend.py`, as a module."""
    spec = importlib.util.spec_from_file_location("kgb_benchmark_new_backend", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def scratch(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The environment; it has those backends that tests have made in it."""
    return script.scratch_environment(tmp_path_factory.mktemp("scaffold") / "environment")
