"""aten::huber_loss: half the square of a small difference, a line for a large one; for any strides.

Element by element one kernel does it. A tile spans some columns, which run along the fastest dimension, and
some rows, which count through all others; tensors that lie alike in memory merge into one long row. A mean or
sum takes two steps without atomics, so equal inputs give equal bits: every program adds up its tiles, one
program adds what those found. Half precision is computed and added in float32 and rounded once.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import torch
import triton
import triton.language as tl

PROGRAMS = 1024  # that add up tiles: enough to keep a large chip busy, few enough for one program to add
NONE, MEAN, SUM = 0, 1, 2  # ATen's numbers for the ways to reduce


class _Plan(NamedTuple):
    """How tensors are walked through: sizes, strides by tensor, tile."""

    rows: int
    columns: int
    sizes: list[int]
    places: list[int]
    height: int
    width: int

    @property
    def tiles(self) -> int:
        return triton.cdiv(self.rows, self.height) * triton.cdiv(self.columns, self.width)

    @property
    def index(self) -> tl.dtype:
        return tl.int32 if max(self.rows, self.columns) < 2**30 else tl.int64


@triton.jit
def _number(number, compute: tl.constexpr):
    """A number of the host. A kernel takes no float64: one comes as the bits of an int64."""
    if compute == tl.float64:
        value = tl.full([1, 1], number, tl.int64).to(tl.float64, bitcast=True)
    else:
        value = tl.full([1, 1], number, tl.float32)
    return value


@triton.jit
def _place(row, column, n1, n2, n3, s0, s1, s2, s3, step):
    """Memory offsets of a tile; rows count through four dimensions of strides s0 to s3, the last fastest."""
    offset = (row % n3).to(tl.int64) * s3
    row = row // n3
    offset += (row % n2).to(tl.int64) * s2
    row = row // n2
    offset += (row % n1).to(tl.int64) * s1
    offset += (row // n1).to(tl.int64) * s0
    return offset[:, None] + (column.to(tl.int64) * step)[None, :]


@triton.jit
def _huber(difference, delta):
    """Parabola up to delta, and beyond it the line that continues it."""
    size = tl.abs(difference)
    return tl.where(size < delta, 0.5 * size * size, delta * (size - 0.5 * delta))


@triton.jit
def _loss_of_tile(
    x, target, delta, row, column, inside, n1, n2, n3,
    x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step,
    compute: tl.constexpr,
):  # fmt: skip
    """The losses of a tile, in the type that is computed in."""
    x = tl.load(x + _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step), mask=inside).to(compute)
    target = tl.load(target + _place(row, column, n1, n2, n3, t0, t1, t2, t3, t_step), mask=inside).to(
        compute
    )
    delta = _number(delta, compute)
    return _huber(x - target, delta)


@triton.jit
def _within(tile, rows, columns, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr):
    """Rows and columns of a tile, and which of its elements there are."""
    across = tl.cdiv(columns, WIDTH)
    row = (tile // across) * HEIGHT + tl.arange(0, HEIGHT).to(INDEX)
    column = (tile % across) * WIDTH + tl.arange(0, WIDTH).to(INDEX)
    return row, column, (row < rows)[:, None] & (column < columns)[None, :]


@triton.jit(do_not_specialize=["delta"])
def _each(
    out, x, target, delta, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step,
    x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the losses of one tile."""
    tile = tl.program_id(0).to(INDEX)
    row, column, inside = _within(tile, rows, columns, INDEX, HEIGHT, WIDTH)
    value = _loss_of_tile(
        x, target, delta, row, column, inside, n1, n2, n3,
        x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step, compute,
    )  # fmt: skip
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


@triton.jit(do_not_specialize=["delta"])
def _partial(
    part, x, target, delta, rows, columns, n1, n2, n3,
    x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Add up every so many-th tile into part[program]."""
    total = tl.zeros([HEIGHT, WIDTH], compute)
    tiles = tl.cdiv(rows, HEIGHT) * tl.cdiv(columns, WIDTH)
    for tile in range(tl.program_id(0).to(INDEX), tiles, tl.num_programs(0)):
        row, column, inside = _within(tile, rows, columns, INDEX, HEIGHT, WIDTH)
        value = _loss_of_tile(
            x, target, delta, row, column, inside, n1, n2, n3,
            x0, x1, x2, x3, x_step, t0, t1, t2, t3, t_step, compute,
        )  # fmt: skip
        total += tl.where(inside, value, 0.0)
    tl.store(part + tl.program_id(0), tl.sum(tl.sum(total, 1), 0))


@triton.jit(do_not_specialize=["count", "divisor"])
def _finish(out, part, count, divisor, compute: tl.constexpr, WIDTH: tl.constexpr):
    """Add the parts and divide them by the number of elements, or by 1. Of no elements the mean is NaN."""
    total = tl.zeros([WIDTH], compute)
    for start in range(0, count, WIDTH):
        lane = start + tl.arange(0, WIDTH)
        total += tl.load(part + lane, mask=lane < count, other=0.0)
    tl.store(out, (tl.sum(total, 0) / divisor).to(out.dtype.element_ty))


def huber_loss(
    self: torch.Tensor, target: torch.Tensor, reduction: int = MEAN, delta: float = 1.0
) -> torch.Tensor:
    """Huber loss of self against target, in the dtype of self."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    shape = torch.broadcast_shapes(self.shape, target.shape)
    return _losses(shape, [self, target], [delta], self.dtype, reduction)


def _losses(
    shape: torch.Size, tensors: list[torch.Tensor], numbers: list[float], dtype: torch.dtype, reduction: int
) -> torch.Tensor:
    """The losses of tensors that broadcast to `shape`, one by one, their mean or their sum."""
    if reduction not in (NONE, MEAN, SUM):
        raise ValueError(f"reduction is 0 (none), 1 (mean) or 2 (sum), not {reduction}")
    compute = _compute_type(tensors)
    encoded = [_encoded(number, compute) for number in numbers]
    if reduction == NONE:
        out = _empty(shape, tensors, dtype)
        _launch_each(out, [tensor.expand(shape) for tensor in tensors], encoded, compute)
        return out
    out = torch.empty((), dtype=dtype, device=tensors[0].device)
    _launch_reduced(out, [tensor.expand(shape) for tensor in tensors], encoded, compute, reduction == MEAN)
    return out


def _empty(shape: torch.Size, tensors: list[torch.Tensor], dtype: torch.dtype) -> torch.Tensor:
    """The output, dense, its dimensions in the order in which an input of its shape has them."""
    for tensor in tensors:
        if tensor.shape == shape:
            return torch.empty_like(tensor, dtype=dtype)
    return torch.empty(shape, dtype=dtype, device=tensors[0].device)


def _compute_type(tensors: list[torch.Tensor]) -> tl.dtype:
    """Half precision is computed in float32."""
    return tl.float64 if any(tensor.dtype is torch.float64 for tensor in tensors) else tl.float32


def _encoded(number: float, compute: tl.dtype) -> float:
    """A number as `_number` expects it."""
    if compute is tl.float64:
        return struct.unpack("<q", struct.pack("<d", number))[0]
    return float(number)


def _launch_each(
    out: torch.Tensor, tensors: list[torch.Tensor], numbers: list[float], compute: tl.dtype
) -> None:
    for out_piece, *piece in _pieces([out, *tensors]):
        plan = _plan([out_piece, *piece])
        _each[(plan.tiles,)](
            out_piece, *piece, *numbers, plan.rows, plan.columns, *plan.sizes, *plan.places,
            compute=compute, INDEX=plan.index, HEIGHT=plan.height, WIDTH=plan.width,
        )  # fmt: skip


def _launch_reduced(
    out: torch.Tensor, tensors: list[torch.Tensor], numbers: list[float], compute: tl.dtype, mean: bool
) -> None:
    pieces = _pieces(tensors)
    plans = [_plan(piece) for piece in pieces]
    programs = [min(plan.tiles, PROGRAMS) for plan in plans]
    wide = torch.float64 if compute is tl.float64 else torch.float32
    parts = torch.empty((sum(programs),), dtype=wide, device=out.device)
    for i, (piece, plan) in enumerate(zip(pieces, plans, strict=True)):
        _partial[(programs[i],)](
            parts[sum(programs[:i]) :], *piece, *numbers, plan.rows, plan.columns, *plan.sizes, *plan.places,
            compute=compute, INDEX=plan.index, HEIGHT=plan.height, WIDTH=plan.width,
        )  # fmt: skip
    divisor = tensors[0].numel() if mean else 1
    _finish[(1,)](out, parts, len(parts), divisor, compute=compute, WIDTH=PROGRAMS)


def _pieces(tensors: list[torch.Tensor]) -> list[list[torch.Tensor]]:
    """The tensors, cut along their first dimension until a kernel can count through them; none if empty."""
    if not tensors[0].numel():
        return []
    if len(_merged(tensors)) <= 5:
        return [tensors]
    cut = [[tensor[i] for tensor in tensors] for i in range(len(tensors[0]))]
    return [piece for part in cut for piece in _pieces(part)]


def _plan(tensors: list[torch.Tensor]) -> _Plan:
    *outer, (columns, steps) = _merged(tensors)
    rows = tensors[0].numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0,) * len(steps))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    return _Plan(rows, columns, [size for size, _ in outer[1:]], places, height, width)


def _merged(tensors: list[torch.Tensor]) -> list[tuple[int, tuple[int, ...]]]:
    """Sizes and strides, the slowest dimension first; two become one where all tensors allow it."""
    sizes = tensors[0].shape
    strides = [tuple(tensor.stride(d) for tensor in tensors) for d in range(len(sizes))]
    merged = [(1, (0,) * len(tensors))]
    for d in sorted(range(len(sizes)), key=lambda d: max(strides[d]), reverse=True):
        size, coarse = merged[-1]
        if size == 1 or coarse == tuple(sizes[d] * stride for stride in strides[d]):
            merged[-1] = (size * sizes[d], strides[d])
        elif sizes[d] != 1:
            merged.append((sizes[d], strides[d]))
    return merged


def _tile(rows: int, columns: int, steps: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of a tile: squarer where the columns of a tensor are not adjacent but rows may be."""
    if rows == 1:
        return 1, min(2048, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(2048 // width, triton.next_power_of_2(rows)), width
