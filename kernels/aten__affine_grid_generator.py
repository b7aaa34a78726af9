"""aten::affine_grid_generator: where each pixel of an image comes from under an affine map.

A program makes the coordinates of some pixels of one image: a place as coordinates in [-1, 1], each rounded
once, and the rows of the map applied to it. Coordinates of a pixel lie next to each other, so a program
writes one run of memory. Half types are computed in float32 and rounded once.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_BLOCK = 256  # pixels a program


@triton.jit
def _coordinate(place, size, ALIGN: tl.constexpr, ACC: tl.constexpr):
    """Place 0 .. size - 1 in [-1, 1]: from edge to edge where corners are aligned, else between the edges."""
    twice = (2 * place - (size - 1)).to(ACC)
    span = (tl.maximum(size - 1, 1) if ALIGN else size).to(ACC)
    return twice / span


@triton.jit
def _grid_kernel(
    out, theta, blocks, pixels, depth, height, width, theta_n, theta_row, theta_col,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, ACC: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    image = (tl.program_id(0) // blocks).to(tl.int64)
    pixel = tl.program_id(0) % blocks * BLOCK + tl.arange(0, BLOCK)
    row = tl.arange(0, 4 if ROWS == 3 else 2)
    named = theta + image * theta_n + row * theta_row
    there = row < ROWS
    x = _coordinate(pixel % width, width, ALIGN, ACC)
    y = _coordinate(pixel // width % height, height, ALIGN, ACC)
    total = tl.load(named, mask=there, other=0).to(ACC)[None, :] * x[:, None]
    total += tl.load(named + theta_col, mask=there, other=0).to(ACC)[None, :] * y[:, None]
    if ROWS == 3:
        z = _coordinate(pixel // width // height, depth, ALIGN, ACC)
        total += tl.load(named + 2 * theta_col, mask=there, other=0).to(ACC)[None, :] * z[:, None]
    total += tl.load(named + ROWS * theta_col, mask=there, other=0).to(ACC)[None, :]
    place = out + (image * pixels + pixel)[:, None] * ROWS + row[None, :]
    tl.store(place, total.to(out.dtype.element_ty), mask=(pixel < pixels)[:, None] & there[None, :])


def affine_grid_generator(theta: torch.Tensor, size: list[int], align_corners: bool) -> torch.Tensor:
    """Theta @ (x, y, 1) or theta @ (x, y, z, 1) for every pixel of an image of `size`.

    Args:
        theta: (n, 2, 3) or (n, 3, 4), of a floating type.
        size: (n, channels, [depth,] height, width); channels don't count.
        align_corners: whether -1 and 1 are the middles of the outermost pixels or their edges.

    Returns:
        A contiguous tensor (n, [depth,] height, width, 2 or 3).
    """
    count, _, *sides = size
    rows = len(sides)
    out = torch.empty((count, *sides, rows), dtype=theta.dtype, device=theta.device)
    if not out.numel():
        return out
    depth, height, width = [1] * (3 - rows) + sides
    pixels = depth * height * width
    blocks = triton.cdiv(pixels, _BLOCK)
    _grid_kernel[(count * blocks,)](
        out, theta, blocks, pixels, depth, height, width, *theta.stride(),
        ALIGN=align_corners, ROWS=rows, ACC=tl.float64 if theta.dtype == torch.float64 else tl.float32,
        BLOCK=_BLOCK,
    )  # fmt: skip
    return out
