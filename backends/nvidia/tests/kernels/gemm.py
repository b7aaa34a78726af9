"""Two kernels to compile: a sum that fits everywhere, and a product whose size the launch decides."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def matmul(a, b, c, k, SIZE: tl.constexpr):
    row = tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for start in range(0, k, SIZE):
        left = tl.load(a + row[:, None] * k + start + row[None, :])
        right = tl.load(b + (start + row[:, None]) * SIZE + row[None, :])
        total += tl.dot(left, right)
    tl.store(c + row[:, None] * SIZE + row[None, :], total.to(tl.float16))


@triton.jit
def fp8(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float8e4nv).to(tl.float32))


@triton.jit
def undefined(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), nowhere)  # noqa: F821
