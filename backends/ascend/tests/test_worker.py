"""What a worker gets: one device, torch_npu loaded by us, the Ascend back end of Triton."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgb_backend_ascend import stack, torch_npu
from kgb_core.errors import BackendError
from kgb_core.models import Device
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins import Backend

DEVICE = Device(index=3, name="Ascend 910B3")

TORCH_NPU = """
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
torch.npu = SimpleNamespace(
    Event=Event,
    synchronize=lambda: waits.append("all"),
    matmul=SimpleNamespace(allow_hf32=True),
    conv=SimpleNamespace(allow_hf32=True),
)
"""
"""Gives torch an `npu` module, as torch_npu does, on a machine without the chip."""

WORKER = """
from unittest.mock import patch
import torch
from kgb_core.plugins import load_backends
from kgb_core.models import Device
backend = load_backends(["ascend"]).get("ascend")
device = Device(index=3, name="Ascend 910B3")
backend.prepare_worker(device)
with patch.object(torch, "get_device_module", lambda name: getattr(torch, name)), \\
     patch("torch.empty", lambda *a, device, **k: torch.zeros(1)):
    timer = backend.make_timer(device)
    backend.synchronize(device)
timer.start()
timer.stop()
print(timer.method.value, timer.elapsed_ns() > 0, torch.npu.synchronize.__globals__["waits"])
print(torch.npu.matmul.allow_hf32, torch.npu.conv.allow_hf32)
"""


def test_a_worker_is_pinned_and_loads_no_extension_by_itself(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: None)
    assert backend.worker_environment(DEVICE) == {
        "ASCEND_RT_VISIBLE_DEVICES": "3",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
    }


def test_one_of_several_triton_back_ends_is_chosen(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "triton_backend", lambda: "ascend")
    assert backend.worker_environment(DEVICE)["TRITON_DEFAULT_BACKEND"] == "ascend"


def test_torch_npu_is_loaded_its_events_time_and_fp32_is_fp32(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "torch_npu.py").write_text(TORCH_NPU)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), **backend.worker_environment(DEVICE)}
    done = subprocess.run(
        [sys.executable, "-c", WORKER], env=environment, capture_output=True, check=False, text=True
    )
    assert done.stdout == f"{TimingMethod.EVENTS.value} True ['all']\nFalse False\n", done.stderr


def test_without_torch_npu_the_error_names_it(backend: Backend) -> None:
    with pytest.raises(BackendError, match="kgb_prepare_worker failed") as raised:
        backend.prepare_worker(DEVICE)
    assert "No module named 'torch_npu'" in raised.value.why


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("raise ImportError('libhccl.so: cannot open shared object file')", "libhccl.so: cannot open"),
        ("raise ImportError", "ImportError"),
        ("import os; os.abort()", "ended with -6"),
        ("import os; os._exit(0)", "it ended without a word"),
        ("print('kgb is not what this prints')", ""),
    ],
)
def test_importing_torch_npu_is_tried_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, words: str
) -> None:
    (tmp_path / "torch.py").write_text("")
    (tmp_path / "torch_npu.py").write_text(module + "\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = torch_npu.failure()
    assert words in found
    assert bool(found) == bool(words)
