"""What a device can do, by its generation, as public reports and triton-ascend's compiler have it.

Nobody here could run a chip. What no source states is left unknown: it is tried, and what happens is
recorded.
"""

from __future__ import annotations

from kgb_backend_ascend.chips import Generation, generation_of
from kgb_core.models import Capabilities, Capability, Device, DType, Feature, Support

_FULL = Capability(support=Support.FULL)
_LARGE_BYTES = 32 * 2**30
"""Room for 2^31 elements of two bytes, three times over, and for the work on them."""
NO_TRITON = "no Triton compiles for the Ascend 310P"
_COMPILED = (Generation.A2, Generation.A3)
_FP8 = (DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2)


def capabilities(device: Device) -> Capabilities:
    """The capabilities of a device."""
    generation = generation_of(device.name)
    if generation is Generation.P310:
        return Capabilities(table={dtype.value: _is(Support.UNSUPPORTED, NO_TRITON) for dtype in DType})
    table = {
        Feature.TIMING.value: _is(
            Support.PARTIAL, "events count launch overhead too, which outweighs short kernels (FlagTree #634)"
        ),
        Feature.LAUNCH_LIMITS.value: _FULL,
        Feature.LARGE_MEMORY.value: _large(device.memory_bytes),
    }
    return Capabilities(table={**table, **(_compiled() if generation in _COMPILED else {})})


def _compiled() -> dict[str, Capability]:
    """What triton-ascend 3.2.0 takes for these chips: tried with it and ascendnpu-ir 1.2.0, no chip."""
    refused = _is(
        Support.UNSUPPORTED, "triton-ascend 3.2.0 refuses it: `[fp8, fp64] is unsupported on Ascend for now`"
    )
    return {
        DType.FLOAT32.value: _FULL,
        DType.FLOAT16.value: _FULL,
        DType.BFLOAT16.value: _FULL,
        DType.INT32.value: _FULL,
        DType.INT64.value: _is(Support.PARTIAL, "tl.dot takes no int64 (triton-ascend's documentation)"),
        DType.FLOAT64.value: refused,
        **dict.fromkeys((dtype.value for dtype in _FP8), refused),
        Feature.ATOMICS.value: _is(
            Support.PARTIAL, "atomic_add of a whole block to one address gives wrong sums (FlagGems)"
        ),
    }


def _is(support: Support, reason: str) -> Capability:
    return Capability(support=support, reason=reason)


def _large(memory_bytes: int | None) -> Capability:
    if memory_bytes is None:
        return _is(Support.UNKNOWN, "the size of the memory is unknown")
    if memory_bytes >= _LARGE_BYTES:
        return _FULL
    needs = f"needs {_LARGE_BYTES // 2**30} GiB of memory, this has {memory_bytes / 2**30:.0f}"
    return _is(Support.UNSUPPORTED, needs)
