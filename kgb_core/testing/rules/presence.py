"""With a chip: discovery, synchronization, two workers on two devices, and the device after a crash."""

from __future__ import annotations

import os

import pytest

from kgb_core.models.device import Device
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered
from kgb_core.testing.bench import Bench, Discovered, Healthy, Identity, Task, Waiting
from kgb_core.testing.measure import HELD_BYTES

_WAITED_SHARE = 0.2
"""Of the time that queued work takes, what reading its result may take after a real wait."""


def test_discovery_is_the_same_in_every_process(backend: Backend, device: Device) -> None:
    """A new process finds the same devices: plans, workers and bundles name them by index."""
    here = answered(backend.discover_devices)
    there = Bench(backend.vendor, device, dict(os.environ)).ask(Task.DISCOVER, Discovered)
    assert list(there.devices) == here


def test_synchronize_really_waits(bench: Bench) -> None:
    """After `synchronize` nothing is left to wait for, on the default stream and on another."""
    for stream in bench.ask(Task.WAIT, Waiting).streams:
        worked = stream.queue_ns + stream.wait_ns
        assert stream.read_ns < _WAITED_SHARE * worked, (
            f"on {stream.stream} stream: queueing and synchronize took {worked / 1e6:.2f} ms, "
            f"and reading the result then took another {stream.read_ns / 1e6:.2f} ms"
        )


def test_two_workers_do_not_meet(backend: Backend, devices: list[Device], bench: Bench) -> None:
    """Workers of two devices see one device each, and not the same one."""
    if len(devices) < 2:
        pytest.skip(f"there is one usable device: {devices[0].name}")
    environment = answered(lambda: backend.worker_environment(devices[1]))
    other = Bench(backend.vendor, devices[1], {**os.environ, **environment})
    first, second = bench.ask(Task.IDENTIFY, Identity), other.ask(Task.IDENTIFY, Identity)
    assert (first.count, second.count) == (1, 1), "a worker sees more devices than its own"
    if first.identity or second.identity:
        assert first.identity != second.identity, f"both see {first.identity}"
        return
    if second.free_bytes is None:
        pytest.skip("torch tells neither the identity nor the free memory of a device")
    with bench.holding():
        during = other.ask(Task.IDENTIFY, Identity).free_bytes
    assert during is not None
    assert second.free_bytes - during < HELD_BYTES // 2, "memory of the first device was missed on the second"


@pytest.mark.parametrize("crash", [Task.ABORT, Task.WILD], ids=lambda task: task.value)
def test_a_crash_leaves_the_device_usable(bench: Bench, crash: Task) -> None:
    """After a process died with work queued, or wrote where it must not, the next finds the device well."""
    ended = bench.run(crash)
    assert crash is Task.WILD or ended.returncode < 0, f"the process did not die: {ended.stderr}"
    health = bench.ask(Task.HEALTH, Healthy)
    assert health.computes, "the device computes wrongly after a crash"
    assert health.says, "the device computes, and kgb_check_health says that it does not"
