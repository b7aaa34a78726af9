"""What a timer is. A hook returns one once; no hook is called inside a timed region."""

from __future__ import annotations

from enum import Enum
from typing import Protocol


class TimingMethod(str, Enum):
    """Where a device time comes from; stored with every sample."""

    EVENTS = "events"
    """Device events around the call."""
    PROFILER = "profiler"
    HOST = "host"
    """The host's clock around the call and a synchronize: includes launch overhead."""
    WALL_SLOPE = "wall_slope"
    """Slope of the wall clock over batches of growing size."""


class Timer(Protocol):
    """Measures one call at a time on one device, in integer nanoseconds.

    The order is `prepare`, `start`, the call, `stop`, `elapsed_ns`. `prepare` queues work (cache flush, spin)
    so that the device is busy when `start` is queued: a start event behind a synchronize measures the
    host's launch cost, not the kernel.
    """

    name: str
    """Unique among a backend's timers, stored with every sample."""
    method: TimingMethod

    def prepare(self) -> None:
        """Flush the last-level cache and keep the device busy; returns without waiting."""

    def start(self) -> None:
        """Mark the beginning; returns without waiting."""

    def stop(self) -> None:
        """Mark the end; returns without waiting."""

    def elapsed_ns(self) -> int:
        """Wait for the end and return the time between the marks, in nanoseconds."""
