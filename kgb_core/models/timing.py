"""Measured times, in integer nanoseconds, with the method that gave them."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.timer import TimingMethod


class Samples(FrozenModel):
    """Every sample of one side of a comparison, in the order measured; nothing is trimmed."""

    device_ns: tuple[int, ...]
    call_ns: tuple[int, ...]
    """The host's clock around the call, launch overhead included."""


class Interval(FrozenModel):
    """A 95 % interval."""

    low: float
    high: float


class Summary(FrozenModel):
    """What is reported of one side."""

    median_ns: float
    interval_ns: Interval
    """95 % interval of the median."""
    call_median_ns: float
    count: int


class Timing(FrozenModel):
    """The timing of one perf case: candidate against baseline on identical inputs."""

    method: TimingMethod
    timer: str
    candidate: Summary
    baseline: Summary
    null_ns: float
    """Median of an empty region: what can't be told from nothing."""
    speedup: float | None
    """Baseline median over candidate median; `None` where the time is invalid."""
    speedup_interval: Interval | None
    floor_ns: float | None
    """The roofline floor: bytes over peak bandwidth or operations over peak rate; `None` without peaks."""
    floor_source: str = ""
    overhead_bound: bool = False
    """The candidate's time is close to that of an empty launch."""
    bimodal: bool = False
    verified_calls: int = 0
    """Timed calls whose outputs were checked."""
    invalid: str = ""
    """Why the time can't be believed; empty when it can."""
    samples: str = ""
    """Path of the raw samples inside the bundle."""
