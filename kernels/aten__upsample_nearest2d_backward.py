"""aten::upsample_nearest2d_backward: each pixel adds up the gradients of the pixels that were copied from it.

Every gradient is gathered, not scattered: no atomics, and always the same order. Which rows and columns were
copied from a pixel is what the forward operator's own rounding says, so each candidate is asked; where an
image grew by a power of two they are known. The output lies in memory as the gradients do, channels first or
last. Half types are added in float32 and rounded once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BLOCK = 512  # elements a program


class _Side(NamedTuple):
    """One side of the images.

    `known` where output i came from input i // window; else the window holds all that may have come from one.
    """

    size: int
    grown: int
    scale: float  # input pixels for one of the output
    growth: float  # and the other way round
    window: int
    known: bool


@triton.jit
def _first(place, growth, window, KNOWN: tl.constexpr):
    """The first pixel of the output that may have been copied from each place."""
    return place * window if KNOWN else (place.to(tl.float32) * growth).to(tl.int32) - 1


@triton.jit
def _copied(candidate, place, size, grown, scale, KNOWN: tl.constexpr):
    """Whether a pixel of the output was copied from that place of the input."""
    if KNOWN:
        copied = candidate < grown
    else:
        origin = tl.minimum((candidate.to(tl.float32) * scale).to(tl.int32), size - 1)
        copied = (candidate >= 0) & (candidate < grown) & (origin == place)
    return copied


@triton.jit
def _gather_kernel(
    out, grad, count, channels, height, width, tall, wide, scale_h, scale_w, growth_h, growth_w,
    window_h, window_w, grad_n, grad_c, grad_h, grad_w,
    LAST: tl.constexpr, KNOWN_H: tl.constexpr, KNOWN_W: tl.constexpr, ACC: tl.constexpr, WIDE: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    number = program * BLOCK + tl.arange(0, BLOCK)
    live = number < count
    if LAST:
        c = number % channels
        w = number // channels % width
        h = number // channels // width % height
        n = number // channels // width // height
    else:
        w = number % width
        h = number // width % height
        c = number // width // height % channels
        n = number // width // height // channels
    plane = grad + n.to(tl.int64) * grad_n + c.to(tl.int64) * grad_c
    top = _first(h, growth_h, window_h, KNOWN_H)
    left = _first(w, growth_w, window_w, KNOWN_W)
    total = tl.zeros([BLOCK], ACC)
    for down in range(window_h):
        y = top + down
        row = plane + y.to(tl.int64) * grad_h
        in_row = live & _copied(y, h, height, tall, scale_h, KNOWN_H)
        for right in range(window_w):
            x = left + right
            here = in_row & _copied(x, w, width, wide, scale_w, KNOWN_W)
            total += tl.load(row + x.to(tl.int64) * grad_w, mask=here, other=0).to(ACC)
    tl.store(out + number, total.to(out.dtype.element_ty), mask=live)


def upsample_nearest2d_backward(
    grad_output: torch.Tensor,
    output_size: list[int],
    input_size: list[int],
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> torch.Tensor:
    """The gradient of images that were resized by copying the nearest pixel.

    Args:
        grad_output: (n, channels, *output_size), of a floating type.
        output_size: height and width that the images were resized to.
        input_size: (n, channels, height, width) of the images.
        scales_h: growth in height that the forward operator was given; else it is what the sizes say.
        scales_w: the same in width.

    Returns:
        A tensor of `input_size`, channels last where the gradients are, else contiguous.
    """
    order = _order(grad_output)
    out = torch.empty(input_size, dtype=grad_output.dtype, device=grad_output.device, memory_format=order)
    if not out.numel():
        return out
    down = _side(input_size[2], output_size[0], scales_h)
    right = _side(input_size[3], output_size[1], scales_w)
    programs = triton.cdiv(out.numel(), _BLOCK)
    _gather_kernel[(programs,)](
        out, grad_output, out.numel(), *out.shape[1:], down.grown, right.grown, down.scale, right.scale,
        down.growth, right.growth, down.window, right.window, *grad_output.stride(),
        LAST=order is torch.channels_last, KNOWN_H=down.known, KNOWN_W=right.known,
        ACC=tl.float64 if out.dtype == torch.float64 else tl.float32, WIDE=out.numel() >= 2**30, BLOCK=_BLOCK,
    )  # fmt: skip
    return out


def _order(grad: torch.Tensor) -> torch.memory_format:
    last = torch.channels_last
    if grad.is_contiguous(memory_format=last) and not grad.is_contiguous():
        return last
    return torch.contiguous_format


def _side(size: int, grown: int, given: float | None) -> _Side:
    factor = grown // size
    scale = 1.0 / given if given else size / grown
    if grown == factor * size and factor & (factor - 1) == 0 and scale == 1 / factor:
        return _Side(size, grown, scale, float(factor), factor, True)
    return _Side(size, grown, scale, 1 / scale, math.ceil(max(1 / scale, grown / size)) + 3, False)
