"""The roofline floor: no call is faster than its bytes at peak bandwidth or operations at peak rate."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models.device import Peaks
from kgb_core.models.dtypes import DType


@dataclass(frozen=True)
class Work:
    """What one call must do at least.

    Attributes:
        bytes_read: inputs, read once from memory (the caches are flushed).
        bytes_written: outputs; as much as the last-level cache holds may still be in it at the end.
        flops: floating-point operations, where the operator states them.
        dtype: of the operands.
    """

    bytes_read: int
    bytes_written: int
    flops: float | None
    dtype: DType | None


def floor_ns(work: Work, peaks: Peaks, cache_bytes: int | None) -> float | None:
    """The least time that one call can take, in nanoseconds; `None` where no peak is known.

    Args:
        work: what it must do.
        peaks: of the device.
        cache_bytes: its last-level cache; unknown counts as all of the output.
    """
    floors: list[float] = []
    if peaks.bytes_per_second:
        kept = work.bytes_written if cache_bytes is None else min(cache_bytes, work.bytes_written)
        floors.append((work.bytes_read + work.bytes_written - kept) / peaks.bytes_per_second * 1e9)
    rate = peaks.flops_per_second.get(work.dtype.value) if work.dtype else None
    if rate and work.flops:
        floors.append(work.flops / rate * 1e9)
    return max(floors, default=None)
