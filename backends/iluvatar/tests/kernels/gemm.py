"""Kernels to compile: a sum, one with narrow floats, and one with an error."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def narrow(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float8e4nv).to(tl.float32))


@triton.jit
def undefined(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), nowhere)  # noqa: F821
