"""aten::embedding: rows of a table, picked by index.

The work is memory traffic only. A program copies a tile of ROWS picked rows by COLUMNS of the table's width,
so that an index is read once a row and elements move in long runs. Elements move as plain integers of their
size: no dtype needs arithmetic here. Table and indices may lie in memory in any way.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_TILE_BYTES = 8192  # a program: 64 bytes a thread, four wide loads in flight
_DIMS = 5  # dimensions of the indices, after merging


class _Dim(NamedTuple):
    size: int
    stride: int


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
def _embedding_kernel(
    out, weight, indices, rows, columns, row_stride, column_stride,
    n0, n1, n2, n3, s0, s1, s2, s3, s4,
    DIMS: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    column_blocks = tl.cdiv(columns, COLUMNS)
    row = (program // column_blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % column_blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live_row = row < rows
    live = live_row[:, None] & (column < columns)
    place = _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, DIMS)
    picked = tl.load(indices + place, mask=live_row, other=0).to(tl.int64)[:, None]
    value = tl.load(weight + picked * row_stride + column * column_stride, mask=live)
    tl.store(out + row.to(tl.int64)[:, None] * columns + column, value, mask=live)


def embedding(
    weight: torch.Tensor,
    indices: torch.Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> torch.Tensor:
    """weight[indices]; the three options concern the gradient only.

    Args:
        weight: the table, (entries, width), any dtype of 1 to 8 bytes.
        indices: int32 or int64 of any shape, each in [0, entries).
        padding_idx: the entry that gets no gradient.
        scale_grad_by_freq: divides gradients by how often an entry was picked.
        sparse: makes the gradient a sparse tensor.

    Returns:
        A contiguous tensor of shape (*indices.shape, width).
    """
    width = weight.shape[1]
    out = torch.empty((*indices.shape, width), dtype=weight.dtype, device=weight.device)
    if out.numel():
        _launch(out, weight, indices, _merged(indices))
    return out


def _launch(out: torch.Tensor, weight: torch.Tensor, indices: torch.Tensor, dims: list[_Dim]) -> None:
    rows, width = indices.numel(), weight.shape[1]
    tile = _TILE_BYTES // weight.element_size()
    columns_at_once = min(triton.next_power_of_2(width), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(width, columns_at_once)
    padded = dims + [_Dim(1, 0)] * (_DIMS - len(dims))
    bits = _BITS[weight.element_size()]
    _embedding_kernel[(programs,)](
        out.view(bits), weight.view(bits), indices, rows, width, weight.stride(0), weight.stride(1),
        *(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded),
        DIMS=len(dims), WIDE=programs * tile >= 2**31, ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _merged(indices: torch.Tensor) -> list[_Dim]:
    """The dimensions of `indices`, innermost first; neighbours that follow one another are merged."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(indices.shape), reversed(indices.stride())):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and dim.stride == last.stride * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.stride)
        else:
            dims.append(dim)
    if len(dims) > _DIMS:
        raise NotImplementedError(f"indices of {len(dims)} dimensions that don't merge; {_DIMS} at most")
    return dims or [_Dim(1, 0)]
