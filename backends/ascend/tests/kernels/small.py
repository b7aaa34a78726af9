"""Kernels that the compile tests lower; they are never launched."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    """The sum of two vectors."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


@triton.jit
def twice(x, BLOCK: tl.constexpr):
    """Doubles a vector in place."""
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)


@triton.jit
def matmul(a, b, out, SIZE: tl.constexpr, PRECISION: tl.constexpr):
    """One block of a product."""
    row, column = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    left, right = tl.load(a + row * SIZE + column), tl.load(b + row * SIZE + column)
    tl.store(out + row * SIZE + column, tl.dot(left, right, input_precision=PRECISION))


@triton.jit
def fp8(x, out, BLOCK: tl.constexpr):
    """Round to a narrow float."""
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float8e4nv).to(tl.float32))


@triton.jit
def a_name_that_is_so_long_that_nobody_would_ever_want_to_type_it(x, BLOCK: tl.constexpr):
    """Doubles a vector in place."""
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)


@triton.jit
def undefined(x, BLOCK: tl.constexpr):
    """Uses a name that isn't there."""
    tl.store(x + tl.arange(0, BLOCK), nowhere)  # noqa: F821
