"""aten::poisson: counts with the mean that each element of the input states.

A small mean is inverted: one uniform number is carried through the probabilities of 0, 1, 2, ... until it is
used up. A larger one is drawn by transformed rejection, PTRS of Hoermann (1993, Insurance: Mathematics and
Economics 12, 39-45), whose acceptance test compares log-probabilities in the form of Loader's deviance, which
stays precise where the plain form subtracts large numbers. Both loops run until every lane of a program is
done. Philox is counted by the element's place in the output and by the attempt, and keyed with a seed that
the generator gives, so the layout of the input changes no draw.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BLOCK = 1024
_DIMS = 6  # of the means, after merging
_INVERTED = tl.constexpr(10.0)  # means below it are inverted; PTRS is proven from 10 on
_HALF_LOG_TAU = tl.constexpr(0.9189385332046727)  # log(2 pi) / 2


class _Dim(NamedTuple):
    size: int
    stride: int


@triton.jit
def _offset(number, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS: tl.constexpr):
    """Where element `number` in row-major order lies; dimension 0 is the innermost."""
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
def _uniform(bits, ACC: tl.constexpr):
    """The middle of the interval that 32 random bits name; rounded, it may be 1 in float32, never 0."""
    return (bits.to(tl.uint32).to(tl.int64).to(ACC) + 0.5) * 2.3283064365386963e-10


@triton.jit
def _inverted(mean, small, bits, ACC: tl.constexpr):
    """The count at which the summed probabilities pass a uniform number; 0 where not `small`."""
    left = _uniform(bits, ACC)
    chance = tl.exp(-mean)
    count = tl.zeros_like(mean)
    active = small & (left > chance)
    while tl.max(active.to(tl.int32), 0) > 0:
        left = tl.where(active, left - chance, left)
        count = tl.where(active, count + 1.0, count)
        chance = tl.where(active, chance * mean / tl.maximum(count, 1.0), chance)
        # Beyond the mean, probabilities that no longer count end the search.
        active = active & (left > chance) & ((chance > 1e-12) | (count < mean))
    return count


@triton.jit
def _log_probability(count, mean):
    """The log of mean**count * exp(-mean) / count!, by Stirling's series and the deviance."""
    n = count + 1.0
    away = (mean - n) / n
    # n * (log(1 + away) - away), by its series where the two nearly cancel.
    series = away * away * (-0.5 + away * (0.3333333333333333 + away * (-0.25 + away * (0.2 - away / 6.0))))
    bulk = tl.where(tl.abs(away) < 0.03, series, tl.log(1.0 + away) - away)
    inverse = 1.0 / n
    stirling = inverse * (0.08333333333333333 - inverse * inverse * 0.002777777777777778)
    return n * bulk - tl.log(mean) + 0.5 * tl.log(n) - _HALF_LOG_TAU - stirling


@triton.jit
def _attempt(count, active, mean, first, second, ACC: tl.constexpr):
    """One attempt of PTRS for the lanes that are `active`; constants as in the paper's table."""
    width = 0.931 + 2.53 * tl.sqrt(mean)
    slope = -0.059 + 0.02483 * width
    inverse_alpha = 1.1239 + 1.1328 / (width - 3.4)
    squeeze = 0.9277 - 3.6224 / (width - 2.0)
    across = _uniform(first, ACC) - 0.5
    up = _uniform(second, ACC)
    edge = tl.maximum(0.5 - tl.abs(across), 1e-9)
    drawn = tl.floor((2.0 * slope / edge + width) * across + mean + 0.43)
    at_once = (edge >= 0.07) & (up <= squeeze)
    possible = (drawn >= 0) & ((edge >= 0.013) | (up <= edge))
    drawn = tl.maximum(drawn, 0.0)
    bound = tl.log(up * inverse_alpha / (slope / (edge * edge) + width))
    accepted = at_once | (possible & (bound <= _log_probability(drawn, mean)))
    return tl.where(active & accepted, drawn, count), active & (accepted == 0)


@triton.jit
def _rejected(mean, large, key, low, high, ACC: tl.constexpr):
    """PTRS for the lanes that are `large`, the rest left at 0; a Philox block serves two attempts."""
    count = tl.zeros_like(mean)
    active = large
    block = 0
    while tl.max(active.to(tl.int32), 0) > 0:
        block += 1
        u0, u1, u2, u3 = tl.philox(key, low, high, low * 0 + block, low * 0)
        count, active = _attempt(count, active, mean, u0, u1, ACC)
        count, active = _attempt(count, active, mean, u2, u3, ACC)
    return count


@triton.jit
def _poisson_kernel(
    out, mean, seed, total, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5,
    DIMS: tl.constexpr, LARGE: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if LARGE:
        program = program.to(tl.int64)
    at = program * BLOCK + tl.arange(0, BLOCK)
    live = at < total
    place = _offset(at, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4, s5, DIMS)
    rate = tl.load(mean + place, mask=live, other=0).to(ACC)
    key = tl.load(seed)
    low, high = at.to(tl.int32), (at.to(tl.int64) >> 32).to(tl.int32)
    small = rate < _INVERTED
    bits, _, _, _ = tl.philox(key, low, high, low * 0, low * 0)
    count = _inverted(tl.where(small, rate, 0.0), small, bits, ACC)
    large = (small == 0) & live
    count += _rejected(tl.where(large, rate, 10.0), large, key, low, high, ACC)
    tl.store(out + at, count.to(out.dtype.element_ty), mask=live)


def poisson(self: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Independent Poisson counts.

    Args:
        self: the mean of each element, floating, not negative, any strides.
        generator: where the seed comes from; the device's own by default.

    Returns:
        A contiguous tensor of the shape and dtype of `self`.
    """
    if not self.dtype.is_floating_point:
        raise NotImplementedError(f"poisson has no counts of type {self.dtype}")
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    total = out.numel()
    if not total:
        return out
    seed = torch.randint(2**63 - 1, (1,), generator=generator, device=self.device)
    dims = _merged(self)
    padded = dims + [_Dim(1, 0)] * (_DIMS - len(dims))
    _poisson_kernel[(triton.cdiv(total, _BLOCK),)](
        out, self, seed, total,
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        DIMS=len(dims), LARGE=total >= 2**31 - _BLOCK, BLOCK=_BLOCK,
        ACC=tl.float64 if self.dtype is torch.float64 else tl.float32,
    )  # fmt: skip
    return out


def _merged(tensor: torch.Tensor) -> list[_Dim]:
    """The dimensions of a tensor, innermost first; neighbours that follow one another are merged."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(tensor.shape), reversed(tensor.stride())):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and dim.stride == last.stride * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.stride)
        else:
            dims.append(dim)
    if len(dims) > _DIMS:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_DIMS} at most")
    return dims or [_Dim(1, 0)]
