"""What a device can do, by its architecture, as public reports have it: nobody here could run one.

What no report states is left unknown: it is tried, and what happens is recorded.
"""

from __future__ import annotations

from kgb_backend_mthreads.chips import arch_number
from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device."""
    number = arch_number(device.arch)
    table: dict[str, Capability] = {
        DType.FLOAT32.value: _FULL,
        DType.FLOAT16.value: _FULL,
        DType.INT32.value: _FULL,
        DType.BFLOAT16.value: _is(
            Support.PARTIAL, "Triton can't compare bf16 here: compare in fp32 (FlagGems)"
        ),
        DType.INT64.value: _is(
            Support.UNKNOWN, "FlagGems' notes deny int64 arithmetic in kernels, its own flag grants it"
        ),
        DType.FLOAT64.value: _float64(number),
        DType.FLOAT8_E4M3FN.value: _float8(number),
        Feature.TIMING.value: _FULL,
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.ATOMICS.value: _is(Support.PARTIAL, "no atomic_add on fp16 and bf16 (FlagGems)"),
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
    }
    return Capabilities(table=table)


def _is(support: Support, reason: str) -> Capability:
    return Capability(support=support, reason=reason)


def _float64(number: int | None) -> Capability:
    if number is None:
        return _unknown()
    if number >= 31:
        return _is(
            Support.UNKNOWN, "FlagGems says that kernels have no fp64, the vendor's S5000 page says they do"
        )
    return _is(Support.UNSUPPORTED, "kernels have no fp64 (FlagGems: fp64_enabled is False)")


def _float8(number: int | None) -> Capability:
    if number is None:
        return _unknown()
    if number >= 31:
        return _FULL
    return _is(Support.UNSUPPORTED, f"needs mp_31, this is mp_{number} (FlagTree: fp8e4nv from 31 on)")


def _unknown() -> Capability:
    return _is(Support.UNKNOWN, "the architecture is unknown")


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return _is(Support.UNKNOWN, "the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    needs = f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}"
    return _is(Support.UNSUPPORTED, needs)
