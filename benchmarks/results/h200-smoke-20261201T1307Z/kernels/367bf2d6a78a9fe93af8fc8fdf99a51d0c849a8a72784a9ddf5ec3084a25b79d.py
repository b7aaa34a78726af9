"""aten::index_select: whole slices along one dimension, in the order that a vector of indices names.

The kernel walks over the output in row-major order. A program takes a tile of ROWS by COLUMNS, COLUMNS along
the innermost dimension, so that only rows pay for the divisions that turn a number into a place. Away from
the last dimension an index is read once a row of the tile and the slice is copied in long runs. Elements
move as plain integers of their size. The source may lie in memory in any way; dimensions that follow one
another both there and towards the index are merged first.
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
def _index_select_kernel(
    out, index, source, step, rows, columns, index_column, source_column,
    n0, n1, n2, n3, i0, i1, i2, i3, i4, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, ROW_INDEX: tl.constexpr, WIDE: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    column_blocks = tl.cdiv(columns, COLUMNS)
    row = (program // column_blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % column_blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live_row = row < rows
    live = live_row[:, None] & (column < columns)
    index_row = _offset(row, n0, n1, n2, n3, i0, i1, i2, i3, i4, OUTER)
    source_row = _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)

    if ROW_INDEX:
        # One index serves a whole row of the tile: the usual case away from the last dimension.
        picked = tl.load(index + index_row, mask=live_row, other=0).to(tl.int64)[:, None]
    else:
        named = index + index_row[:, None] + column * index_column
        picked = tl.load(named, mask=live, other=0).to(tl.int64)
    value = tl.load(source + source_row[:, None] + picked * step + column * source_column, mask=live)
    tl.store(out + row.to(tl.int64)[:, None] * columns + column, value, mask=live)


def index_select(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    """out[.., i, ..] = self[.., index[i], ..] along `dim`.

    Args:
        self: any dtype of 1 to 8 bytes, any rank.
        dim: the dimension that `index` points into; may be negative.
        index: int32 or int64, 1-d or 0-d, each in [0, self.shape[dim]).

    Returns:
        A contiguous tensor of the shape of `self` with `dim` as long as `index`.
    """
    sizes, strides = list(self.shape) or [1], list(self.stride()) or [0]
    dim %= len(sizes)
    sizes[dim] = index.numel()
    out = torch.empty(sizes if self.dim() else (), dtype=self.dtype, device=self.device)
    if not out.numel():
        return out
    # Seen as a tensor of the output's shape, the vector has stride 0 in every other dimension.
    index_strides = [0] * len(sizes)
    index_strides[dim] = index.stride(0) if index.dim() else 0
    step, strides[dim] = strides[dim], 0
    _launch(out, index, self, step, _merged(sizes, index_strides, strides))
    return out


def _launch(
    out: torch.Tensor, index: torch.Tensor, source: torch.Tensor, step: int, dims: list[_Dim]
) -> None:
    inner, *outer = dims
    rows = out.numel() // inner.size
    row_index = inner.index == 0
    tile = _TILE_BYTES // out.element_size() if row_index else _TILE
    columns_at_once = min(triton.next_power_of_2(inner.size), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0)] * (_OUTER - len(outer))
    bits = _BITS[out.element_size()]
    _index_select_kernel[(programs,)](
        out.view(bits), index, source.view(bits), step, rows, inner.size, inner.index, inner.source,
        *(dim.size for dim in padded[:-1]), *(dim.index for dim in padded), *(dim.source for dim in padded),
        OUTER=len(outer), ROW_INDEX=row_index, WIDE=programs * tile >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _merged(sizes: list[int], index_strides: list[int], source_strides: list[int]) -> list[_Dim]:
    """Dimensions innermost first; neighbours that follow one another in both tensors are merged."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(sizes), reversed(index_strides), reversed(source_strides)):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and dim.index == last.index * last.size and dim.source == last.source * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.index, last.source)
        else:
            dims.append(dim)
    if len(dims) > _OUTER + 1:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_OUTER + 1} at most")
    return dims or [_Dim(1, 0, 0)]
