"""aten::index: the elements that index tensors name, one tensor for a dimension or `None` for all of it.

Several index tensors are first turned into one tensor of memory offsets; a single one is read as it is, a
negative number counted from the end. The kernel then walks over the output in row-major order. A program
takes a tile of ROWS by COLUMNS, COLUMNS along the innermost dimension, so that only rows pay for the
divisions that turn a number into a place. Elements move as plain integers of their size. All tensors may lie
in memory in any way.

Masks are declined: how many elements a mask names has to be known on the host before the output can be made.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_TILE = 1024  # elements a program where each has its own 8-byte index
_TILE_BYTES = 8192  # a program where an index serves a row: 64 bytes a thread, four wide loads in flight
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
    index: int
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
def _place_kernel(
    place, index, count, size, step, n0, n1, n2, n3, s0, s1, s2, s3, s4,
    DIMS: tl.constexpr, FIRST: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add one index tensor's share to the memory offsets that all of them name together."""
    number = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    live = number < count
    at = _offset(number, n0, n1, n2, n3, s0, s1, s2, s3, s4, DIMS)
    picked = tl.load(index + at, mask=live, other=0).to(tl.int64)
    offset = tl.where(picked < 0, picked + size, picked) * step
    if not FIRST:
        offset += tl.load(place + number, mask=live, other=0)
    tl.store(place + number, offset, mask=live)


@triton.jit
def _index_kernel(
    out, index, source, size, step, rows, columns, index_column, source_column,
    n0, n1, n2, n3, i0, i1, i2, i3, i4, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, ROW_INDEX: tl.constexpr, WIDE: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live_row = row < rows
    live = live_row[:, None] & (column < columns)
    index_row = _offset(row, n0, n1, n2, n3, i0, i1, i2, i3, i4, OUTER)
    source_row = _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)
    if ROW_INDEX:
        # One index serves a whole row of the tile: the usual case when a row of a table is picked.
        picked = tl.load(index + index_row, mask=live_row, other=0).to(tl.int64)[:, None]
    else:
        picked = tl.load(index + index_row[:, None] + column * index_column, mask=live, other=0).to(tl.int64)
    picked = tl.where(picked < 0, picked + size, picked)
    value = tl.load(source + source_row[:, None] + picked * step + column * source_column, mask=live)
    tl.store(out + row.to(tl.int64)[:, None] * columns + column, value, mask=live)


def index(self: torch.Tensor, indices: list[torch.Tensor | None]) -> torch.Tensor:
    """self[indices], each of them int32 or int64, or `None` for a whole dimension.

    Args:
        self: any dtype of 1 to 8 bytes.
        indices: for the leading dimensions; they broadcast; each number is in [-size, size).

    Returns:
        A contiguous tensor: the shape of the indices stands for their dimensions where these are neighbours,
        and in front otherwise.
    """
    if any(index is not None and index.dtype not in (torch.int32, torch.int64) for index in indices):
        raise NotImplementedError("a mask names a number of elements that the host doesn't know")
    picked = _picked(self, indices)
    rank, steps = picked.index.dim(), self.stride()
    before, after = picked.before, picked.after
    sizes = [*(self.shape[d] for d in before), *picked.index.shape, *(self.shape[d] for d in after)]
    out = torch.empty(sizes, dtype=self.dtype, device=self.device)
    if out.numel():
        source = [*(steps[d] for d in before), *[0] * rank, *(steps[d] for d in after)]
        index_steps = [*[0] * len(before), *picked.index.stride(), *[0] * len(after)]
        _launch(out, self, picked, _merged(sizes, index_steps, source))
    return out


class _Picked(NamedTuple):
    """What a list of indices names: where it comes to lie among the other dimensions, and how to read it."""

    before: list[int]  # dimensions of the tensor that stay in front
    after: list[int]  # and behind
    index: torch.Tensor  # whole numbers, of the shape that all indices broadcast to
    size: int  # what a negative number counts from
    step: int  # memory offset of one more


def _picked(tensor: torch.Tensor, indices: list[torch.Tensor | None]) -> _Picked:
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    first, last = given[0][0], given[-1][0]
    others = [dim for dim in range(tensor.dim()) if dim not in dict(given)]
    together = last - first + 1 == len(given)  # else the shape of the indices comes first
    before = [dim for dim in others if together and dim < first]
    after = [dim for dim in others if dim not in before]
    if len(given) == 1:
        return _Picked(before, after, given[0][1], tensor.shape[first], tensor.stride(first))
    return _Picked(before, after, _places(tensor, given), 0, 1)


def _places(tensor: torch.Tensor, given: list[tuple[int, torch.Tensor]]) -> torch.Tensor:
    """Memory offsets in `tensor`, of the shape that the index tensors broadcast to."""
    shape = torch.broadcast_shapes(*(index.shape for _, index in given))
    place = torch.empty(shape, dtype=torch.int64, device=tensor.device)
    for number, (dim, index) in enumerate(given if place.numel() else []):
        wide = index.expand(shape)
        dims = _merged(list(shape), list(wide.stride()))
        padded = dims + [(1, 0)] * (_OUTER - len(dims))
        _place_kernel[(triton.cdiv(place.numel(), _TILE),)](
            place, wide, place.numel(), tensor.shape[dim], tensor.stride(dim),
            *(size for size, _ in padded[:-1]), *(step for _, step in padded),
            DIMS=len(dims), FIRST=number == 0, BLOCK=_TILE,
        )  # fmt: skip
    return place


def _launch(out: torch.Tensor, source: torch.Tensor, picked: _Picked, merged: list[tuple[int, ...]]) -> None:
    inner, *outer = map(_Dim._make, merged)
    rows = out.numel() // inner.size
    row_index = inner.index == 0
    tile = _TILE_BYTES // out.element_size() if row_index else _TILE
    columns_at_once = min(triton.next_power_of_2(inner.size), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0)] * (_OUTER - len(outer))
    bits = _BITS[out.element_size()]
    _index_kernel[(programs,)](
        out.view(bits), picked.index, source.view(bits), picked.size, picked.step,
        rows, inner.size, inner.index, inner.source,
        *(dim.size for dim in padded[:-1]), *(dim.index for dim in padded), *(dim.source for dim in padded),
        OUTER=len(outer), ROW_INDEX=row_index, WIDE=programs * tile >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


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
