"""aten::rrelu_with_noise: a leaky rectifier whose slope is drawn anew for every element in training.

Random numbers come from Philox, counted by the place of an element in row-major order and keyed with a seed
that the generator gives, so the layout of the input changes no draw. Four numbers come out of one Philox
block; a program spends them on four runs of elements, each read and written in order. The seed stays on the
device.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_RUN = 1024  # elements of one of a program's four runs: eight a thread
_DIMS = 6  # of input and noise, after merging


class _Dim(NamedTuple):
    size: int
    stride: int
    noise_stride: int


@triton.jit
def _number(number, compute: tl.constexpr):
    """A number of the host. A kernel takes no float64: one comes as the bits of an int64."""
    if compute == tl.float64:
        value = tl.full([1], number, tl.int64).to(tl.float64, bitcast=True)
    else:
        value = tl.full([1], number, tl.float32)
    return value


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


@triton.jit(do_not_specialize=["count", "lower", "span"])
def _train(
    out, noise, x, seed, count, lower, span, n0, n1, n2, n3, n4, x0, x1, x2, x3, x4, x5,
    r0, r1, r2, r3, r4, r5, compute: tl.constexpr, DIMS: tl.constexpr, WIDE: tl.constexpr, RUN: tl.constexpr,
):  # fmt: skip
    """Draw slopes, and write them, or 1 above zero, and their products with x."""
    program = tl.program_id(0)
    lane = tl.arange(0, RUN)
    # The counter has 32 bits, enough for 2**34 elements.
    u0, u1, u2, u3 = tl.rand4x(tl.load(seed), program * RUN + lane)
    if WIDE:
        program = program.to(tl.int64)
    for run in tl.static_range(4):
        at = (program * 4 + run) * RUN + lane
        live = at < count
        place = _offset(at, n0, n1, n2, n3, n4, x0, x1, x2, x3, x4, x5, DIMS)
        value = tl.load(x + place, mask=live, other=0).to(compute)
        uniform = u0 if run == 0 else (u1 if run == 1 else (u2 if run == 2 else u3))
        drawn = _number(lower, compute) + uniform.to(compute) * _number(span, compute)
        slope = tl.where(value <= 0, drawn, 1.0).to(noise.dtype.element_ty)
        # The product is that with the slope as it is kept, so that both belong together.
        tl.store(out + at, (value * slope.to(compute)).to(out.dtype.element_ty), mask=live)
        place = _offset(at, n0, n1, n2, n3, n4, r0, r1, r2, r3, r4, r5, DIMS)
        tl.store(noise + place, slope, mask=live)


@triton.jit(do_not_specialize=["count", "slope"])
def _judge(
    out, x, count, slope, n0, n1, n2, n3, n4, x0, x1, x2, x3, x4, x5,
    compute: tl.constexpr, DIMS: tl.constexpr, WIDE: tl.constexpr, RUN: tl.constexpr,
):  # fmt: skip
    """Write x, or below zero its product with the mean slope."""
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    at = program * RUN + tl.arange(0, RUN)
    place = _offset(at, n0, n1, n2, n3, n4, x0, x1, x2, x3, x4, x5, DIMS)
    value = tl.load(x + place, mask=at < count, other=0).to(compute)
    value = tl.where(value > 0, value, value * _number(slope, compute))
    tl.store(out + at, value.to(out.dtype.element_ty), mask=at < count)


def rrelu_with_noise(
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: float = 0.125,
    upper: float = 0.3333333333333333,
    training: bool = False,
    generator: torch.Generator | None = None,
) -> torch.Tensor:
    """Randomised leaky rectifier.

    Args:
        self: floating, any strides.
        noise: of the same shape and dtype; in training it receives the slope of each element, 1 above zero.
        lower, upper: between which slopes are drawn; their mean is the slope outside of training.
        training: whether slopes are drawn.
        generator: where the seed comes from; the device's own by default.

    Returns:
        A contiguous tensor of the shape and dtype of `self`.
    """
    if self.shape != noise.shape or self.dtype is not noise.dtype or not self.dtype.is_floating_point:
        raise RuntimeError("rrelu_with_noise needs a noise of the input's shape and floating dtype")
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    if not out.numel():
        return out
    if training:
        _launch_train(out, noise, self, lower, upper, generator)
    else:
        _launch_judge(out, self, (lower + upper) / 2)
    return out


def _launch_train(
    out: torch.Tensor,
    noise: torch.Tensor,
    x: torch.Tensor,
    lower: float,
    upper: float,
    generator: torch.Generator | None,
) -> None:
    count, compute = out.numel(), _compute_type(out.dtype)
    seed = torch.randint(2**63 - 1, (1,), generator=generator, device=x.device)
    dims, padded = _merged(x, noise)
    _train[(triton.cdiv(count, 4 * _RUN),)](
        out, noise, x, seed, count, _encoded(lower, compute), _encoded(upper - lower, compute),
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        *(dim.noise_stride for dim in padded),
        compute=compute, DIMS=dims, WIDE=count >= 2**31 - 4 * _RUN, RUN=_RUN,
    )  # fmt: skip


def _launch_judge(out: torch.Tensor, x: torch.Tensor, slope: float) -> None:
    count, compute = out.numel(), _compute_type(out.dtype)
    dims, padded = _merged(x, x)
    _judge[(triton.cdiv(count, _RUN),)](
        out, x, count, _encoded(slope, compute),
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        compute=compute, DIMS=dims, WIDE=count >= 2**31 - _RUN, RUN=_RUN,
    )  # fmt: skip


def _compute_type(dtype: torch.dtype) -> tl.dtype:
    """Half precision is computed in float32 and rounded once."""
    return tl.float64 if dtype is torch.float64 else tl.float32


def _encoded(number: float, compute: tl.dtype) -> float:
    """A number as `_number` expects it."""
    if compute is tl.float64:
        return struct.unpack("<q", struct.pack("<d", number))[0]
    return float(number)


def _merged(x: torch.Tensor, noise: torch.Tensor) -> tuple[int, list[_Dim]]:
    """How many dimensions there are, innermost first, those that follow one another merged; then padding."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(x.shape), reversed(x.stride()), reversed(noise.stride())):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and (dim.stride, dim.noise_stride) == (
            last.stride * last.size,
            last.noise_stride * last.size,
        ):
            dims[-1] = _Dim(dim.size * last.size, last.stride, last.noise_stride)
        else:
            dims.append(dim)
    if len(dims) > _DIMS:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_DIMS} at most")
    dims = dims or [_Dim(1, 0, 0)]
    return len(dims), dims + [_Dim(1, 0, 0)] * (_DIMS - len(dims))
