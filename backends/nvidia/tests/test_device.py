"""On a real GPU: what the driver, torch and the timer say agrees. Run with `-m device`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from kgb_backend_nvidia import nvml, smi
from kgb_core.models import Device
from kgb_core.models.doctor import Health
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins import Backend

pytestmark = pytest.mark.device


@pytest.fixture(scope="module")
def device(backend: Backend) -> Device:
    """The first GPU."""
    return backend.discover_devices()[0]


@pytest.fixture(scope="module")
def measure(backend: Backend, device: Device) -> Callable[..., list[int]]:
    """Times calls in nanoseconds, as a worker does."""
    timer = backend.make_timer(device)
    assert timer.method is TimingMethod.EVENTS

    def run(call: Callable[[], Any], count: int = 20) -> list[int]:
        times = []
        for _ in range(count + 5):
            backend.synchronize(device)
            timer.prepare()
            timer.start()
            call()
            timer.stop()
            times.append(timer.elapsed_ns())
        return times[5:]

    return run


def test_nvml_and_nvidia_smi_agree() -> None:
    library, tool = nvml.read(), smi.read()
    assert (library.problem, tool.problem) == ("", "")
    assert (library.driver, library.cuda) == (tool.driver, tool.cuda)
    assert [(c.gpu, c.uuid, c.arch, c.memory_bytes, c.is_ours) for c in library.cards] == [
        (c.gpu, c.uuid, c.arch, c.memory_bytes, c.is_ours) for c in tool.cards
    ]


def test_torch_sees_the_same_device(backend: Backend, device: Device) -> None:
    import torch

    properties = torch.cuda.get_device_properties(0)
    target = backend.target_of(device)
    assert properties.name == device.name
    assert f"sm{properties.major}{properties.minor}" == device.arch
    assert properties.multi_processor_count == device.compute_units
    assert device.last_level_cache_bytes in (None, properties.L2_cache_size)
    assert target is None or properties.shared_memory_per_block_optin == target.limits.shared_memory_bytes


def test_a_worker_is_pinned_by_uuid(backend: Backend, device: Device) -> None:
    code = "import torch; print(torch.cuda.device_count(), torch.cuda.get_device_properties(0).uuid)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=_pinned(backend, device), check=True, text=True
    )
    count, uuid = done.stdout.split()
    assert (count, f"GPU-{uuid}") == ("1", device.uuid)


def _pinned(backend: Backend, device: Device) -> dict[str, str]:
    import os

    return {**os.environ, **backend.worker_environment(device)}


def test_the_device_is_healthy(backend: Backend, device: Device) -> None:
    assert backend.check_health(device)
    assert {check.health for check in backend.doctor_checks()} == {Health.OK}
    assert backend.probe().score == 90


def test_an_empty_region_takes_next_to_nothing(measure: Callable[..., list[int]]) -> None:
    assert 0 < median(measure(lambda: None)) < 10_000


def test_a_copy_is_as_fast_as_memory_allows(
    backend: Backend, device: Device, measure: Callable[..., list[int]]
) -> None:
    import torch

    source = torch.empty(2**30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    half = median(measure(lambda: target[: 2**29].copy_(source[: 2**29])))
    whole = median(measure(lambda: target.copy_(source)))
    assert whole == pytest.approx(2 * half, rel=0.1)
    chip = backend.target_of(device)
    if chip is not None and chip.peaks.bytes_per_second is not None:
        assert 0.5 < 2 * 2**30 / (whole * 1e-9) / chip.peaks.bytes_per_second < 1


def test_many_launches_are_not_timed_by_the_host(measure: Callable[..., list[int]]) -> None:
    import torch

    pieces = [torch.empty(1024, device="cuda") for _ in range(40)]
    times = measure(lambda: [piece.zero_() for piece in pieces])
    assert median(times) < 1.1 * min(times)
