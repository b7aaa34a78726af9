"""Kernels to compile: a sum that fits everywhere, a product whose size the launch decides, narrow floats."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def product(a, b, c, depth, SIZE: tl.constexpr, PRECISION: tl.constexpr):
    row = tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for start in range(0, depth, SIZE):
        left = tl.load(a + row[:, None] * depth + start + row[None, :])
        right = tl.load(b + (start + row[:, None]) * SIZE + row[None, :])
        total += tl.dot(left, right, input_precision=PRECISION)
    tl.store(c + row[:, None] * SIZE + row[None, :], total)


@triton.jit
def narrow(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float8e4nv).to(tl.float32))


@triton.jit
def undefined(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), nowhere)  # noqa: F821
