"""The two timers that every chip gets for free: device events, and the host's clock around a synchronize."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from kgb_core.models.timer import TimingMethod

DEFAULT_FLUSH_BYTES = 256 * 2**20
"""Where the last-level cache is unknown."""
SPIN_CYCLES = 200_000
"""About a tenth of a millisecond; measured to give steady times for kernels below 10 µs."""
MOST_SPIN_CYCLES = 20 * SPIN_CYCLES
CYCLES_PER_NS = 2.0
"""A fast chip's clock; a slower one only spins longer."""


class CacheFlush:
    """Writes so much that nothing useful stays in the last-level cache: twice its size.

    Args:
        device_type: as `torch.device` calls it.
        last_level_cache_bytes: size of the cache; `None` where it is unknown.
    """

    def __init__(self, device_type: str, last_level_cache_bytes: int | None = None) -> None:
        size = 2 * last_level_cache_bytes if last_level_cache_bytes else DEFAULT_FLUSH_BYTES
        self._buffer = torch.empty(size // 4, dtype=torch.int32, device=device_type)

    def __call__(self) -> None:
        """Queue the write; returns without waiting."""
        self._buffer.zero_()


def spin_cycles(host_ns: int) -> int:
    """How long the device must spin to stay busy until a call is queued: twice the host time, bounded.

    Args:
        host_ns: what queueing the call took the host the last time; a call that waits for the device includes
            the spin itself, so there is a most.
    """
    return min(max(SPIN_CYCLES, round(2 * host_ns * CYCLES_PER_NS)), MOST_SPIN_CYCLES)


class EventTimer:
    """Device events around a call, queued behind work that keeps the device busy.

    Without that work, or with a synchronize before the start event, the host's launch cost would be measured:
    the device would reach the start event before the kernel is queued. A call that takes the host long, since
    it launches many kernels, gets more of that work in front of it the next time.

    Args:
        module: torch's module of the device, `torch.get_device_module(...)`.
        device_type: as `torch.device` calls it.
        last_level_cache_bytes: size of the cache to flush; `None` where it is unknown.

    Raises:
        RuntimeError: the device has no timed events.
    """

    name = "events"
    method = TimingMethod.EVENTS

    def __init__(self, module: Any, device_type: str, last_level_cache_bytes: int | None = None) -> None:
        self._start = module.Event(enable_timing=True)
        self._stop = module.Event(enable_timing=True)
        self._spin: Callable[[int], object] | None = getattr(module, "_sleep", None)
        self._flush = CacheFlush(device_type, last_level_cache_bytes)
        self._began = 0
        self._host_ns = 0

    def prepare(self) -> None:
        """Queue a flush of the cache and a spin; returns without waiting."""
        self._flush()
        if self._spin is not None:
            self._spin(spin_cycles(self._host_ns))

    def start(self) -> None:
        """Queue the start event."""
        self._began = time.perf_counter_ns()
        self._start.record()

    def stop(self) -> None:
        """Queue the stop event."""
        self._stop.record()
        self._host_ns = time.perf_counter_ns() - self._began

    def elapsed_ns(self) -> int:
        """Wait for the stop event; nanoseconds between the events, whose resolution is the device's."""
        self._stop.synchronize()
        milliseconds: float = self._start.elapsed_time(self._stop)
        return round(milliseconds * 1e6)


class HostTimer:
    """The host's clock around a call and a synchronize: launch overhead is in it.

    Args:
        synchronize: waits until the device is idle.
        flush: empties the device's cache; `None` where the device has none of its own.
    """

    name = "host"
    method = TimingMethod.HOST

    def __init__(self, synchronize: Callable[[], None], flush: Callable[[], object] | None = None) -> None:
        self._synchronize = synchronize
        self._flush = flush
        self._began = 0
        self._ended = 0

    def prepare(self) -> None:
        """Flush the cache and wait: the host's clock must not see earlier work."""
        if self._flush is not None:
            self._flush()
        self._synchronize()

    def start(self) -> None:
        """Read the clock."""
        self._began = time.perf_counter_ns()

    def stop(self) -> None:
        """Wait for the device, then read the clock: only that tells when the call was over."""
        self._synchronize()
        self._ended = time.perf_counter_ns()

    def elapsed_ns(self) -> int:
        """Nanoseconds between the two readings."""
        return self._ended - self._began
