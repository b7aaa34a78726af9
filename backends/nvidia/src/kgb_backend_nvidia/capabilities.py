"""What a device can do, by its compute capability."""

from __future__ import annotations

import re

from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device; what depends on an unknown architecture stays unknown."""
    table = {dtype.value: _FULL for dtype in DType} | {
        Feature.TIMING.value: _FULL,
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.ATOMICS.value: _FULL,
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
    }
    level = _level(device.arch)
    table[DType.BFLOAT16.value] = _since(8, 0, level, Support.UNSUPPORTED)
    table[DType.FLOAT8_E4M3FN.value] = _since(8, 9, level, Support.UNSUPPORTED)
    table[DType.FLOAT8_E5M2.value] = _since(8, 9, level, Support.PARTIAL)
    return Capabilities(table=table)


def _level(arch: str | None) -> int | None:
    """The number in `sm90`."""
    match = re.fullmatch(r"sm(\d+)", arch or "")
    return int(match[1]) if match else None


def _since(major: int, minor: int, level: int | None, before: Support) -> Capability:
    if level is None:
        return Capability(support=Support.UNKNOWN, reason="the compute capability is unknown")
    if level >= major * 10 + minor:
        return _FULL
    reason = f"needs compute capability {major}.{minor}, this is {level // 10}.{level % 10}"
    return Capability(
        support=before, reason=reason if before is Support.UNSUPPORTED else f"converted only: {reason}"
    )


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return Capability(support=Support.UNKNOWN, reason="the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    return Capability(
        support=Support.UNSUPPORTED,
        reason=f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}",
    )
