"""What a device can do, by its architecture. From documents and from compiling; nothing was run on a chip."""

from __future__ import annotations

from kgb_backend_amd.chips import ARCHES
from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

FNUZ_ARCHES = frozenset({"gfx942"})
"""Their fp8 has one bias more, no infinity and no negative zero. Source: ROCm, Data types and precision."""

OCP_ARCHES = frozenset({"gfx950", "gfx1200", "gfx1201"})
"""Their fp8 is the Open Compute Project's, torch's `float8_e4m3fn` and `float8_e5m2`. Source: as above."""

SHORT_KERNELS = (
    "HIP events misjudge short kernels (PyTorch pull request 175097), and two of them in a row may read 0 "
    "(PyTorch pull request 41540): below some ten microseconds a time needs a second witness"
)
_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device; what depends on an unknown architecture stays unknown."""
    table = {dtype.value: _FULL for dtype in DType} | {
        Feature.TIMING.value: Capability(support=Support.PARTIAL, reason=SHORT_KERNELS),
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.ATOMICS.value: _FULL,
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
        DType.BFLOAT16.value: _bf16(device.arch),
    }
    fp8 = _fp8(device.arch)
    return Capabilities(table=table | {DType.FLOAT8_E4M3FN.value: fp8, DType.FLOAT8_E5M2.value: fp8})


def _bf16(arch: str | None) -> Capability:
    if arch in ARCHES:
        return _FULL
    return Capability(support=Support.UNKNOWN, reason=f"the architecture {arch or 'is unknown'}: no source")


def _fp8(arch: str | None) -> Capability:
    if arch in OCP_ARCHES:
        return _FULL
    if arch in FNUZ_ARCHES:
        reason = f"converted in software: the fp8 of {arch} is fnuz (torch.float8_e4m3fnuz, at most 240)"
        return Capability(support=Support.PARTIAL, reason=reason)
    if arch in ARCHES:
        return Capability(support=Support.PARTIAL, reason=f"converted in software: {arch} has no fp8 unit")
    return Capability(support=Support.UNKNOWN, reason=f"the architecture {arch or 'is unknown'}: no source")


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return Capability(support=Support.UNKNOWN, reason="the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    return Capability(
        support=Support.UNSUPPORTED,
        reason=f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}",
    )
