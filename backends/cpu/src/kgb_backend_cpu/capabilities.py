"""What the interpreter can judge, and why it can't judge the rest.

Seen with Triton 3.9: loads and stores of bf16 and fp8 are exact; sums, comparisons, reductions and, for bf16,
`tl.dot` work on the bit patterns as if they were integers; conversions from fp32 truncate, and lose small
numbers. The tests hold these statements against the installed version.
"""

from __future__ import annotations

from kgb_core.models import Capabilities, Capability, DType, Feature, Support

_FULL = Capability(support=Support.FULL)


def _no(reason: str) -> Capability:
    return Capability(support=Support.UNSUPPORTED, reason=reason)


def _as_integers(name: str) -> Capability:
    return _no(f"the interpreter can't judge {name} arithmetic: it computes on the bits as integers")


CAPABILITIES = Capabilities(
    table={
        **{dtype.value: _FULL for dtype in DType},
        DType.BFLOAT16.value: _as_integers("bf16"),
        DType.FLOAT8_E4M3FN.value: _as_integers("fp8"),
        DType.FLOAT8_E5M2.value: _as_integers("fp8"),
        Feature.TIMING.value: _no("the interpreter is no chip: its times mean nothing"),
        Feature.LAUNCH_LIMITS.value: _no("the interpreter has no limit on shared memory, threads or grid"),
        Feature.ATOMICS.value: _FULL,
        Feature.LARGE_MEMORY.value: _no("2^31 elements take hours in the interpreter"),
    }
)
