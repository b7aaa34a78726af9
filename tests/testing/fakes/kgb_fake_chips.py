"""Fake chips on the host: right ones, and one for each rule of the chip tier that breaks exactly it.

Triton's interpreter does the kernels. A product takes as long as a clock says that the same `prepare_worker`
puts in the place of the host's: however busy the host is, the measurements are the same.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Capability, Device, Feature, Support, Target
from kgb_core.models.device import Peaks
from kgb_core.models.timer import Timer
from kgb_core.models.tolerance import Tolerance
from kgb_core.plugins.timers import HostTimer

VARIABLE = "FAKE_VISIBLE_DEVICES"
NO_BF16 = Capability(support=Support.UNSUPPORTED, reason="the interpreter computes on the bits")
ROW_NS = 125_000
"""What a row of a product takes."""


class Clock:
    """The time of a fake chip: reading it takes a microsecond or two."""

    def __init__(self) -> None:
        self.now = 0
        self.reads = 0

    def read(self) -> int:
        self.reads += 1
        self.now += 1000 + 100 * (self.reads % 7)
        return self.now

    def pass_until(self, then: int) -> None:
        self.now = max(self.now, then)


class ChipRight:
    """Two devices, measured by the host's clock."""

    api = (1, 0)
    vendor = "chip_right"

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return BackendInfo(
            vendor=self.vendor,
            display_name="A fake chip",
            torch_device_type="cpu",
            needs_hardware=False,
            visibility_variable=VARIABLE,
        )

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        return [Device(index=index, name=self.name(index)) for index in range(2)]

    def name(self, index: int) -> str:
        return "Fake"

    @hookimpl
    def kgb_capabilities(self) -> Capabilities:
        return Capabilities(table={"bfloat16": NO_BF16, Feature.TIMING.value: self.timing()})

    def timing(self) -> Capability:
        return Capability(support=Support.FULL)

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        return {VARIABLE: self.visible(device), "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}

    def visible(self, device: Device) -> str:
        return str(device.index)

    @hookimpl
    def kgb_prepare_worker(self) -> None:
        import torch

        identity = SimpleNamespace(uuid=os.environ[VARIABLE])
        torch.cpu.get_device_properties = lambda index: identity  # type: ignore[attr-defined]
        self.clock = Clock()
        time.perf_counter_ns = self.clock.read
        self.patch(torch)

    def patch(self, torch: Any) -> None:
        """Let products take their time."""
        torch.mm = self.product

    def product(self, left: Any, right: Any, out: Any) -> None:
        self.clock.now += ROW_NS * len(left)

    @hookimpl
    def kgb_make_timer(self) -> Timer:
        return HostTimer(lambda: None)


class ChipQueueRight(ChipRight):
    """Products are queued, and waited for."""

    vendor = "chip_queue_right"
    done = 0

    def timing(self) -> Capability:
        return Capability(support=Support.UNSUPPORTED, reason="this one is about waiting")

    def patch(self, torch: Any) -> None:
        read = torch.Tensor.item
        torch.mm = self.queued
        torch.Tensor.item = lambda tensor: (self.clock.pass_until(self.done), read(tensor))[1]

    def queued(self, left: Any, right: Any, out: Any) -> None:
        self.done = max(self.done, self.clock.now) + ROW_NS * len(left)

    @hookimpl
    def kgb_synchronize(self) -> bool:
        self.clock.pass_until(self.done)
        return True


class SynchronizeReallyWaits(ChipQueueRight):
    vendor = "synchronize_really_waits"

    @hookimpl
    def kgb_synchronize(self) -> bool:
        return True


class DiscoveryIsTheSameInEveryProcess(ChipRight):
    vendor = "discovery_is_the_same_in_every_process"

    def name(self, index: int) -> str:
        return f"Fake {os.getpid()}"


class TwoWorkersDoNotMeet(ChipRight):
    vendor = "two_workers_do_not_meet"

    def visible(self, device: Device) -> str:
        return "0"


class ACrashLeavesTheDeviceUsable(ChipRight):
    vendor = "a_crash_leaves_the_device_usable"
    crashed = Path("crashed")
    """In the directory of the suite, whose processes share it; workers of a run are elsewhere."""

    def patch(self, torch: Any) -> None:
        super().patch(torch)
        os.abort = self.crash  # type: ignore[assignment]

    def crash(self) -> None:
        self.crashed.touch()
        os.kill(os.getpid(), signal.SIGABRT)

    @hookimpl
    def kgb_check_health(self) -> bool:
        return not self.crashed.exists()


class Counting(HostTimer):
    """A timer that knows the products between its marks.

    Attributes:
        rows: of each product since the start.
    """

    name = "counting"

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.rows: list[int] = []
        self.unit = 0

    def start(self) -> None:
        self.rows.clear()
        super().start()

    def stop(self) -> None:
        super().stop()
        self.unit = self.unit or sum(self.rows)

    def elapsed_ns(self) -> int:
        return self.told(super().elapsed_ns())

    def told(self, ns: int) -> int:
        return ns


class ChipCounted(ChipRight):
    """The right one of the timers that count."""

    vendor = "chip_counted"
    timer: type[Counting] = Counting

    def __init__(self) -> None:
        self._timer = self.timer()

    @hookimpl
    def kgb_make_timer(self) -> Timer:
        return self._timer

    def product(self, left: Any, right: Any, out: Any) -> None:
        super().product(left, right, out)
        self._timer.rows.append(len(left))


class Halved(Counting):
    def told(self, ns: int) -> int:
        return ns // 2


class KnownLengthMeasuresRight(ChipCounted):
    vendor = "known_length_measures_right"
    timer = Halved


class FirstOnly(Counting):
    def told(self, ns: int) -> int:
        return ns // 2 if len(self.rows) == 2 else ns


class TwoKernelsMeasureTwice(ChipCounted):
    vendor = "two_kernels_measure_twice"
    timer = FirstOnly


class Stale(Counting):
    last = 0

    def told(self, ns: int) -> int:
        self.last = ns if self.rows else self.last or ns
        return self.last


class ZeroKernelsAreFlagged(ChipCounted):
    vendor = "zero_kernels_are_flagged"
    timer = Stale


class Wrapping(Counting):
    def told(self, ns: int) -> int:
        return ns // 8 if self.unit and len(self.rows) == 1 and self.rows[0] >= 4 * self.unit else ns


class TimerIsMonotonic(ChipCounted):
    vendor = "timer_is_monotonic"
    timer = Wrapping


class Coarse(Counting):
    def told(self, ns: int) -> int:
        return -(-ns // 50_000) * 50_000


class TimerResolvesTenMicroseconds(ChipCounted):
    vendor = "timer_resolves_ten_microseconds"
    timer = Coarse


class KnownGoodKernelsPass(ChipRight):
    vendor = "known_good_kernels_pass"

    @hookimpl
    def kgb_tolerance(self) -> Tolerance:
        return Tolerance(ulps=0, accumulation=0, native_factor=0, reason="this chip is exact")


class KnownBadKernelsFail(ChipRight):
    vendor = "known_bad_kernels_fail"

    @hookimpl
    def kgb_tolerance(self) -> Tolerance:
        return Tolerance(ulps=1e6, reason="this chip is not exact")


class KnownGoodKernelsAreTimed(ChipRight):
    vendor = "known_good_kernels_are_timed"

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        peaks = Peaks(bytes_per_second=1.0, source="a data sheet read wrongly")
        return [Target(vendor=self.vendor, arch="f1", device_names=("Fake",), peaks=peaks)]
