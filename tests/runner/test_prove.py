"""The local engine proves every device before anything is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgb_core.errors import NoDeviceError
from kgb_core.judge.candidate import Patience
from kgb_core.judge.witness import Reference
from kgb_core.models.device import Device
from kgb_core.runner.engine import Crew, LocalEngine
from kgb_core.runner.lane import DeviceState, Lane, LaneSettings
from kgb_core.worker.handle import REFERENCE_MODULE, WorkerPlan
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.sandbox import Sandbox

BROKEN = """#!/bin/sh
echo "OSError: libchip.so: cannot open shared object file"
exit 1
"""


def engine(scratch: Path, python: str | None = None) -> LocalEngine:
    """One device with one lane; `python` stands for the interpreter."""
    plan = WorkerPlan(
        module=REFERENCE_MODULE,
        backend="cpu",
        device=Device(index=0, name="Triton interpreter"),
        environment={"TRITON_INTERPRET": "1"},
        level=Sandbox.PROCESS,
        scratch_root=scratch,
        hidden=scratch,
    )
    if python is not None:
        plan = WorkerPlan(**{**vars(plan), "python": python})
    pool = WorkerPool(plan, ahead=0)
    settings = LaneSettings(Patience(10.0), translate=True, time_case=None, checks_hardware=False)
    return LocalEngine({"cpu:0": Crew([Lane(pool, Reference(pool), DeviceState(), settings)], [pool])})


def test_a_device_that_computes_is_proved(tmp_path: Path) -> None:
    local = engine(tmp_path)
    try:
        local.prove()
    finally:
        local.close()
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_does_not_start_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text(BROKEN)
    broken.chmod(0o755)
    local = engine(tmp_path, str(broken))
    try:
        with pytest.raises(NoDeviceError) as raised:
            local.prove()
    finally:
        local.close()
    assert "cpu:0" in raised.value.what
    assert "libchip.so: cannot open shared object file" in raised.value.why
