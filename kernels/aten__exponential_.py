"""aten::exponential_: fill a tensor with draws from the exponential distribution.

Random numbers come from Philox, counted by the place of an element in memory order and keyed with a seed that
the generator gives; the seed stays on the device. A number stands for the middle of its interval of 2**-32,
and the logarithm is taken on the side where it is precise, so both ends of the distribution are right and no
draw is zero. Four numbers come out of one Philox block; a program spends them on four runs of elements.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_RUN = 1024  # elements of one of a program's four runs: eight a thread
_DIMS = 6  # after merging


class _Dim(NamedTuple):
    size: int
    stride: int


@triton.jit
def _offset(number, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS: tl.constexpr):
    """Where element `number` lies; dimension 0 is the fastest."""
    rest = number
    at = (rest % n0 if DIMS > 1 else rest).to(tl.int64) * s0
    if DIMS > 1:
        rest = rest // n0
        at += (rest % n1 if DIMS > 2 else rest).to(tl.int64) * s1
    if DIMS > 2:
        rest = rest // n1
        at += (rest % n2 if DIMS > 3 else rest).to(tl.int64) * s2
    if DIMS > 3:
        rest = rest // n2
        at += (rest % n3 if DIMS > 4 else rest).to(tl.int64) * s3
    if DIMS > 4:
        rest = rest // n3
        at += (rest % n4 if DIMS > 5 else rest).to(tl.int64) * s4
    if DIMS > 5:
        at += (rest // n4).to(tl.int64) * s5
    return at


@triton.jit
def _folded(bits):
    """Random bits folded at the middle, so that what is close to 1 keeps its distance from it."""
    return tl.where(bits >= 2147483648, 4294967295 - bits, bits)


@triton.jit
def _exponential(high, low, WIDE: tl.constexpr):
    """-log of a uniform number made of random bits: 32 of them, for float64 outputs 64."""
    bits = high.to(tl.uint32).to(tl.int64)
    small = _folded(bits)
    if WIDE:
        rest = low.to(tl.uint32).to(tl.int64)
        rest = tl.where(bits >= 2147483648, 4294967295 - rest, rest)
        part = (
            small.to(tl.float64) + (rest.to(tl.float64) + 0.5) * 2.3283064365386963e-10
        ) * 2.3283064365386963e-10
    else:
        part = (small.to(tl.float32) + 0.5) * 2.3283064365386963e-10
    # log1p(-part) without losing a small part: Kahan's quotient takes the rounding of 1 - part back out.
    rest_of_one = 1.0 - part
    removed = 1.0 - rest_of_one
    ratio = part / tl.where(removed == 0, 1.0, removed)
    near_one = tl.where(removed == 0, part, -tl.log(rest_of_one) * ratio)
    return tl.where(bits >= 2147483648, near_one, -tl.log(part))


@triton.jit
def _exponential_kernel(
    out, seed, scale, scale_rest, smallest, count, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5,
    DIMS: tl.constexpr, LARGE: tl.constexpr, RUN: tl.constexpr,
):  # fmt: skip
    WIDE: tl.constexpr = out.dtype.element_ty == tl.float64
    program = tl.program_id(0)
    lane = tl.arange(0, RUN)
    key = tl.load(seed)
    # The counter has 32 bits, enough for 2**34 elements.
    counter = program * RUN + lane
    h0, h1, h2, h3 = tl.randint4x(key, counter)
    l0, l1, l2, l3 = h0, h1, h2, h3
    if WIDE:
        l0, l1, l2, l3 = tl.randint4x(key ^ 0x5DEECE66D, counter)
    if LARGE:
        program = program.to(tl.int64)
    for run in tl.static_range(4):
        at = (program * 4 + run) * RUN + lane
        place = _offset(at, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS)
        high = h0 if run == 0 else (h1 if run == 1 else (h2 if run == 2 else h3))
        low = l0 if run == 0 else (l1 if run == 1 else (l2 if run == 2 else l3))
        drawn = _exponential(high, low, WIDE)
        drawn = drawn * scale + drawn * scale_rest if WIDE else tl.maximum(drawn * scale, smallest)
        tl.store(out + place, drawn.to(out.dtype.element_ty), mask=at < count)


def exponential_(
    self: torch.Tensor, lambd: float = 1, *, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Fill self with draws of mean 1 / lambd.

    Args:
        self: floating, any strides under which elements do not share memory.
        lambd: the rate, above 0.
        generator: where the seed comes from; the device's own by default.

    Returns:
        self.
    """
    _check(self, lambd)
    count = self.numel()
    if not count:
        return self
    seed = torch.randint(2**63 - 1, (1,), generator=generator, device=self.device)
    dims = _merged(self)
    padded = dims + [_Dim(1, 0)] * (_DIMS - len(dims))
    scale = 1 / float(lambd)
    coarse = torch.finfo(torch.float32).max if scale > 3e38 else _as_float32(scale)
    _exponential_kernel[(triton.cdiv(count, 4 * _RUN),)](
        self, seed, coarse, scale - coarse, _smallest(self.dtype), count,
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        DIMS=len(dims), LARGE=count >= 2**31 - 4 * _RUN, RUN=_RUN,
    )  # fmt: skip
    return self


def _check(tensor: torch.Tensor, lambd: float) -> None:
    """Refuse what ATen refuses."""
    if not tensor.dtype.is_floating_point:
        raise RuntimeError(f"exponential_ has no draws of type {tensor.dtype}")
    if not lambd > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    if any(size > 1 and not stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)):
        raise RuntimeError("elements of the written-to tensor share a memory location")


def _as_float32(number: float) -> float:
    """The nearest float32: numbers reach a kernel as such."""
    mantissa, exponent = math.frexp(number)
    return math.ldexp(round(math.ldexp(mantissa, 24)), exponent - 24)


def _smallest(dtype: torch.dtype) -> float:
    """The least draw that is not rounded to zero."""
    return torch.finfo(dtype).smallest_normal if dtype is not torch.float16 else 2.0**-24


def _merged(tensor: torch.Tensor) -> list[_Dim]:
    """The dimensions, fastest in memory first; neighbours that follow one another are merged."""
    dims: list[_Dim] = []
    for size, stride in sorted(zip(tensor.shape, tensor.stride(), strict=True), key=lambda pair: pair[1]):
        if size == 1:
            continue
        if dims and stride == dims[-1].stride * dims[-1].size:
            dims[-1] = _Dim(size * dims[-1].size, dims[-1].stride)
        else:
            dims.append(_Dim(size, stride))
    if len(dims) > _DIMS:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_DIMS} at most")
    return dims or [_Dim(1, 0)]
