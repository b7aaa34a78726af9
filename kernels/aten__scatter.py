"""aten::scatter: a copy of a tensor with elements of another, or a number, where `index` says along `dim`.

First `self` is copied. Then the elements of `index` are walked over in row-major order in tiles of ROWS by
COLUMNS, and each stores its element of `src`, or adds it atomically where the type has such an addition.
Products, and sums of other types, are made column by column: what differs in another dimension than `dim`
never meets, so a program goes down its own columns one row after another and needs no atomics. Elements that
only move do so as plain integers of their size. All tensors may lie in memory in any way.
"""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_ATOMIC = (torch.float32, torch.float64, torch.int32, torch.int64)
_TILE = 1024  # elements a program where each has its own 8-byte index
_COLUMNS = 128  # columns a program that goes down them
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
    index: int
    target: int
    source: int


@triton.jit
def _offset(number, n0, n1, n2, n3, s0, s1, s2, s3, s4, DIMS: tl.constexpr):
    """Where element `number` of a row-major grid lies; dimension 0 is the innermost."""
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
        at += (rest // n3).to(tl.int64) * s4
    return at


@triton.jit
def _copy_kernel(
    target, source, rows, columns, source_column, n0, n1, n2, n3, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """Copy to a contiguous target."""
    program = tl.program_id(0).to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    live = (row < rows)[:, None] & (column < columns)
    place = source + _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)[:, None] + column * source_column
    tl.store(target + row[:, None] * columns + column, tl.load(place, mask=live), mask=live)


@triton.jit(do_not_specialize=["number"])
def _scatter_kernel(
    target, index, source, number, step, rows, columns, index_column, target_column, source_column,
    n0, n1, n2, n3, i0, i1, i2, i3, i4, t0, t1, t2, t3, t4, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, NUMBER: tl.constexpr, ADD: tl.constexpr, WIDE: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """Store or add elements of `source`, or one number, which comes as the bits of an element."""
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live = (row < rows)[:, None] & (column < columns)
    index_row = _offset(row, n0, n1, n2, n3, i0, i1, i2, i3, i4, OUTER)[:, None]
    target_row = _offset(row, n0, n1, n2, n3, t0, t1, t2, t3, t4, OUTER)[:, None]
    picked = tl.load(index + index_row + column * index_column, mask=live, other=0).to(tl.int64)
    place = target + target_row + picked * step + column * target_column
    if NUMBER:
        value = _element(number, target, [ROWS, COLUMNS])
    else:
        source_row = _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)[:, None]
        value = tl.load(source + source_row + column * source_column, mask=live)
    if ADD:
        tl.atomic_add(place, value, mask=live, sem="relaxed")
    else:
        tl.store(place, value, mask=live)


@triton.jit
def _element(bits, like, SHAPE: tl.constexpr):
    """A tile of one element, whose bits came as a whole number."""
    dtype: tl.constexpr = like.dtype.element_ty
    if dtype.primitive_bitwidth == 64:
        tile = tl.full(SHAPE, bits, tl.int64)
    elif dtype.primitive_bitwidth == 32:
        tile = tl.full(SHAPE, bits, tl.int32)
    elif dtype.primitive_bitwidth == 16:
        tile = tl.full(SHAPE, bits, tl.int16)
    else:
        tile = tl.full(SHAPE, bits, tl.int8)
    return tile.to(dtype, bitcast=True)


@triton.jit(do_not_specialize=["number"])
def _columns_kernel(
    target, index, source, number, step, count, columns, index_step, source_step,
    n0, n1, n2, n3, i0, i1, i2, i3, i4, t0, t1, t2, t3, t4, s0, s1, s2, s3, s4,
    DIMS: tl.constexpr, NUMBER: tl.constexpr, ADD: tl.constexpr, ACC: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """Reduce `count` elements of each column into the target, in their order."""
    column = tl.program_id(0).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    live = column < columns
    named = index + _offset(column, n0, n1, n2, n3, i0, i1, i2, i3, i4, DIMS)
    into = target + _offset(column, n0, n1, n2, n3, t0, t1, t2, t3, t4, DIMS)
    read = source + _offset(column, n0, n1, n2, n3, s0, s1, s2, s3, s4, DIMS)
    for place in range(count):
        at = tl.full([], place, tl.int64)
        picked = tl.load(named + at * index_step, mask=live, other=0).to(tl.int64) * step
        if NUMBER:
            value = _element(number, target, [COLUMNS])
        else:
            value = tl.load(read + at * source_step, mask=live, other=0)
        before = tl.load(into + picked, mask=live, other=0).to(ACC)
        after = before + value.to(ACC) if ADD else before * value.to(ACC)
        # A column may be held by several threads: all have to have read before one of them writes.
        tl.debug_barrier()
        tl.store(into + picked, after.to(target.dtype.element_ty), mask=live)
        tl.debug_barrier()


def scatter(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    src: torch.Tensor | float,
    *,
    reduce: str | None = None,
) -> torch.Tensor:
    """A copy of `self` with out[.., index[.., i, ..], ..] = src[.., i, ..], or with the two reduced.

    Args:
        self: any dtype of 1 to 8 bytes, any rank; real where it is reduced.
        dim: the dimension that `index` points into; may be negative.
        index: int32 or int64 of the same rank, each number in [0, self.shape[dim]).
        src: a tensor of the same dtype, no smaller than `index`; or a number.
        reduce: "add" or "multiply".

    Returns:
        A contiguous tensor of the shape of `self`.
    """
    if reduce not in (None, "add", "multiply"):
        raise ValueError(f"reduce is add or multiply, not {reduce!r}")
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    if not out.numel():
        return out
    _copy(out, self)
    if index.numel():
        _scatter(out, dim % max(1, self.dim()), index, src, reduce)
    return out


def _copy(out: torch.Tensor, source: torch.Tensor) -> None:
    inner, *outer = _merged(list(out.shape), list(source.stride()))
    rows = out.numel() // inner[0]
    columns_at_once = min(triton.next_power_of_2(inner[0]), 4 * _TILE)
    rows_at_once = 4 * _TILE // columns_at_once
    padded = outer + [(1, 0)] * (_OUTER - len(outer))
    bits = _BITS[out.element_size()]
    _copy_kernel[(triton.cdiv(rows, rows_at_once) * triton.cdiv(inner[0], columns_at_once),)](
        out.view(bits), source.view(bits), rows, *inner,
        *(size for size, _ in padded[:-1]), *(step for _, step in padded),
        OUTER=len(outer), ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _scatter(
    out: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor | float, reduce: str | None
) -> None:
    number = None if isinstance(src, torch.Tensor) else _bits(src, out.dtype)
    source = src if isinstance(src, torch.Tensor) else index
    atomic = reduce == "add" and out.dtype in _ATOMIC
    if reduce is None:
        bits = _BITS[out.element_size()]
        out, source = out.view(bits), source if number is not None else source.view(bits)
    sizes, steps = list(index.shape) or [1], [list(t.stride()) or [0] for t in (index, out, source)]
    step = steps[1][dim]
    if reduce is None or atomic:
        steps[1][dim] = 0
        _launch(out, index, source, number, step, _merged(sizes, *steps), atomic)
    else:
        down = [stride.pop(dim) for stride in steps]
        count = sizes.pop(dim)
        _reduce(out, index, source, number, [step, count, down[0], down[2]], _merged(sizes, *steps), reduce)


def _bits(number: float, dtype: torch.dtype) -> int:
    """A number as the bits of an element: Triton would pass a float64 as a float32."""
    if dtype is torch.bool:
        return int(bool(number))
    if not dtype.is_floating_point:
        width = 8 * dtype.itemsize
        return (int(number) + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
    if dtype is torch.float64:
        return _read("q", "d", number)
    if dtype is torch.bfloat16:
        single = _read("i", "f", number)
        rounded = (single + 0x7FFF + (single >> 16 & 1)) >> 16  # to the nearest, ties to even
        return rounded if number == number else 0x7FC0
    return _read("i", "f", number) if dtype is torch.float32 else _read("h", "e", number)


def _read(whole: str, real: str, number: float) -> int:
    """The bits of a number in one of the formats of `struct`, as a whole number."""
    return int(struct.unpack(whole, struct.pack(real, number))[0])


def _launch(
    out: torch.Tensor,
    index: torch.Tensor,
    source: torch.Tensor,
    number: int | None,
    step: int,
    merged: list[tuple[int, ...]],
    add: bool,
) -> None:
    inner, *outer = map(_Dim._make, merged)
    rows = math.prod(dim.size for dim in outer)
    columns_at_once = min(triton.next_power_of_2(inner.size), _TILE)
    rows_at_once = _TILE // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    _scatter_kernel[(programs,)](
        out, index, source, number or 0, step, rows, *inner, *_padded(outer),
        OUTER=len(outer), NUMBER=number is not None, ADD=add, WIDE=programs * _TILE >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _reduce(
    out: torch.Tensor,
    index: torch.Tensor,
    source: torch.Tensor,
    number: int | None,
    down: list[int],
    merged: list[tuple[int, ...]],
    reduce: str,
) -> None:
    dims = [_Dim._make(dim) for dim in merged]
    step, count, index_step, source_step = down
    columns = math.prod(dim.size for dim in dims)
    accumulator = {torch.float64: tl.float64, torch.int64: tl.int64}.get(out.dtype, tl.int32)
    if out.is_floating_point() and out.dtype is not torch.float64:
        accumulator = tl.float32
    _columns_kernel[(triton.cdiv(columns, _COLUMNS),)](
        out, index, source, number or 0, step, count, columns, index_step, source_step, *_padded(dims),
        DIMS=len(dims), NUMBER=number is not None, ADD=reduce == "add", ACC=accumulator, COLUMNS=_COLUMNS,
    )  # fmt: skip


def _padded(dims: list[_Dim]) -> list[int]:
    padded = dims + [_Dim(1, 0, 0, 0)] * (_OUTER - len(dims))
    sizes = [dim.size for dim in padded[:-1]]
    return sizes + [dim[side] for side in (1, 2, 3) for dim in padded]


def _merged(sizes: list[int], *strides: list[int]) -> list[tuple[int, ...]]:
    """Size and strides of dimensions, innermost first; those that follow one another in all are merged."""
    dims: list[tuple[int, ...]] = []
    for size, *steps in zip(reversed(sizes), *map(reversed, strides), strict=True):
        if size == 1:
            continue
        if dims and steps == [step * dims[-1][0] for step in dims[-1][1:]]:
            dims[-1] = (size * dims[-1][0], *dims[-1][1:])
        else:
            dims.append((size, *steps))
    if len(dims) > _OUTER + 1:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_OUTER + 1} at most")
    return dims or [(1, *(0 for _ in strides))]
