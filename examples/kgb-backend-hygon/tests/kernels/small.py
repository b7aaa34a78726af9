"""A kernel to compile."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    """The sum of two vectors."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)


@triton.jit
def broken(x):
    """Shapes that don't fit."""
    tl.store(x + tl.arange(0, 16), tl.arange(0, 32))
