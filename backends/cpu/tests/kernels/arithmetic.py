"""What the interpreter does to narrow floats: the share of right elements, by dtype and operation."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

N = 1024


@triton.jit
def copy(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at))


@triton.jit
def add(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) + tl.load(y + at))


@triton.jit
def add_in_fp32(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float32) + tl.load(y + at).to(tl.float32))


@triton.jit
def larger(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.maximum(tl.load(x + at), tl.load(y + at)))


@triton.jit
def product(x, y, out, BLOCK: tl.constexpr):
    row = tl.arange(0, 32)
    at = row[:, None] * 32 + row[None, :]
    tl.store(out + at, tl.dot(tl.load(x + at), tl.load(y + at)))


def share(kernel, wanted, x, y, out) -> float:
    """How much of the answer is right."""
    kernel[(1,)](x, y, out, BLOCK=N)
    return (out.float() == wanted.to(out.dtype).float()).float().mean().item()


def shares(dtype: torch.dtype) -> dict[str, float]:
    """The same for every operation."""
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randint(-8, 9, (N,), generator=generator).float().to(dtype) for _ in range(2))
    noisy = torch.randn(N, generator=generator).to(dtype)
    narrow, wide = torch.empty(N, dtype=dtype), torch.empty(N)
    left, right = x.float(), y.float()
    return {
        "copy": share(copy, left, x, y, narrow),
        "add": share(add, left + right, x, y, narrow),
        "add in fp32": share(add_in_fp32, noisy.float() + right, noisy, y, narrow),
        "larger": share(larger, torch.maximum(left, right), x, y, narrow),
        "product": share(product, (left.view(32, 32) @ right.view(32, 32)).flatten(), x, y, wide),
    }


def answer() -> dict[str, dict[str, float]]:
    """The shares by dtype."""
    dtypes = (torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)
    return {str(dtype).removeprefix("torch."): shares(dtype) for dtype in dtypes}
