"""What a device can do, as others saw it on BI-V150 and MR-V100; nothing was run on a chip here."""

from __future__ import annotations

from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

FP64 = (
    "CoreX 4.4 has no fp64: a tensor that is copied to the device arrives as zeros, products are refused "
    '("gemm of double is not supported on CoreX"), and FlagGems declares none'
)
FP8 = "converted in software: FlagTree's compiler takes fp8e4nv and fp8e5, the chip has no unit for them"
ATOMICS = "atomic adds of fp64 abort the compiler (LLVM: Cannot select AtomicLoadFAdd)"
_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""

_KNOWN = (
    DType.FLOAT32,
    DType.FLOAT16,
    DType.BFLOAT16,
    DType.INT8,
    DType.INT16,
    DType.INT32,
    DType.INT64,
    DType.UINT8,
    DType.BOOL,
)
"""Dtypes that FlagGems' tests run on this chip."""


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device. Complex numbers are left out, so unknown: no source tells."""
    no_fp64 = Capability(support=Support.UNSUPPORTED, reason=FP64)
    fp8 = Capability(support=Support.PARTIAL, reason=FP8)
    table = {dtype.value: _FULL for dtype in _KNOWN} | {
        DType.FLOAT64.value: no_fp64,
        DType.COMPLEX128.value: no_fp64,
        DType.FLOAT8_E4M3FN.value: fp8,
        DType.FLOAT8_E5M2.value: fp8,
        Feature.TIMING.value: _FULL,
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.ATOMICS.value: Capability(support=Support.PARTIAL, reason=ATOMICS),
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
    }
    return Capabilities(table=table)


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return Capability(support=Support.UNKNOWN, reason="the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    return Capability(
        support=Support.UNSUPPORTED,
        reason=f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}",
    )
