"""What a device can do, by its family, as public reports have it: nobody here could run one.

What no report states is left unknown: it is tried, and what happens is recorded.
"""

from __future__ import annotations

from kgb_backend_metax.chips import FAMILIES
from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""
_WITHOUT_FP8 = FAMILIES[0].arch


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device."""
    fp8 = _float8(device.arch)
    table: dict[str, Capability] = {
        DType.FLOAT64.value: _FULL,
        DType.FLOAT32.value: _FULL,
        DType.FLOAT16.value: _FULL,
        DType.INT32.value: _FULL,
        DType.BFLOAT16.value: _is(
            Support.PARTIAL, "Triton converts neither integers, bool nor fp64 to bf16 here (FlagGems, #6212)"
        ),
        DType.FLOAT8_E4M3FN.value: fp8,
        DType.FLOAT8_E5M2.value: fp8,
        Feature.TIMING.value: _FULL,
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.ATOMICS.value: _is(Support.PARTIAL, "no atomic_add on bf16 (FlagGems)"),
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
    }
    return Capabilities(table=table)


def _is(support: Support, reason: str) -> Capability:
    return Capability(support=support, reason=reason)


def _float8(arch: str | None) -> Capability:
    if arch == _WITHOUT_FP8:
        return _is(
            Support.UNSUPPORTED, "the C500 series has no fp8, though its compiler takes it (vLLM-metax)"
        )
    return _is(Support.UNKNOWN, "only of the C500 series is it known: it has none")


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return _is(Support.UNKNOWN, "the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    needs = f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}"
    return _is(Support.UNSUPPORTED, needs)
