"""Two kernels for the rules on compiling: one that any compiler takes, one that none can."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    """Twice as much."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2.0, mask=at < n)


@triton.jit
def refused(x, y, n, BLOCK: tl.constexpr):
    """Refuses to be compiled, in words that must come back."""
    tl.static_assert(BLOCK == 0, "kgb conformance: this kernel is wrong on purpose")
    tl.store(y, tl.load(x))
