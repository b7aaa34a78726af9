"""aten::select_backward: a slice put back where `select` took it from, zeros everywhere else.

The result is written once, in its own order, as rows (the dimensions before the selected one) of columns (the
selected one and those behind it): a column knows from its number whether it lies in the slice, and only there
the gradient is read. Elements move as plain integers of their size. The gradient may have any strides.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_TILE_BYTES = 8192  # a program: 64 bytes a thread, four wide stores in flight
_DIMS = 5  # dimensions before and behind the selected one, after merging


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
def _select_backward_kernel(
    out, grad, index, inner, rows, columns,
    n0, n1, n2, n3, s0, s1, s2, s3, s4, m0, m1, m2, m3, t0, t1, t2, t3, t4,
    BEFORE: tl.constexpr, BEHIND: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = (program % blocks) * COLUMNS + tl.arange(0, COLUMNS)
    live = (row < rows)[:, None] & (column < columns)[None, :]
    before = _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, BEFORE)
    behind = _offset(column % inner, m0, m1, m2, m3, t0, t1, t2, t3, t4, BEHIND)
    chosen = live & (column // inner == index)[None, :]
    value = tl.load(grad + before[:, None] + behind[None, :], mask=chosen, other=0)
    tl.store(out + row.to(tl.int64)[:, None] * columns + column.to(tl.int64)[None, :], value, mask=live)


def select_backward(grad_output: torch.Tensor, input_sizes: list[int], dim: int, index: int) -> torch.Tensor:
    """Zeros of `input_sizes` with `grad_output` at `index` of dimension `dim`.

    Args:
        grad_output: any dtype of 1 to 8 bytes; `input_sizes` without `dim`.
        input_sizes: of the result.
        dim: the selected dimension; may be negative.
        index: in it; may be negative.

    Returns:
        A contiguous tensor.
    """
    out = torch.empty(input_sizes, dtype=grad_output.dtype, device=grad_output.device)
    if out.numel():
        dim %= out.dim()
        _launch(out, grad_output, dim, index % out.shape[dim])
    return out


def _launch(out: torch.Tensor, grad: torch.Tensor, dim: int, index: int) -> None:
    before = _merged(grad.shape[:dim], grad.stride()[:dim])
    behind = _merged(grad.shape[dim:], grad.stride()[dim:])
    rows, inner = math.prod(grad.shape[:dim]), math.prod(grad.shape[dim:])
    columns = inner * out.shape[dim]
    tile = _TILE_BYTES // out.element_size()
    columns_at_once = min(triton.next_power_of_2(columns), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(columns, columns_at_once)
    bits = _BITS[out.element_size()]
    _select_backward_kernel[(programs,)](
        out.view(bits), grad.view(bits), index, inner, rows, columns, *_padded(before), *_padded(behind),
        BEFORE=len(before), BEHIND=len(behind), WIDE=programs * tile >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _padded(dims: list[_Dim]) -> list[int]:
    padded = dims + [_Dim(1, 0)] * (_DIMS - len(dims))
    return [*(dim.size for dim in padded[:-1]), *(dim.stride for dim in padded)]


def _merged(sizes: tuple[int, ...], strides: tuple[int, ...]) -> list[_Dim]:
    """Dimensions innermost first; neighbours that follow one another are merged."""
    dims: list[_Dim] = []
    for dim in map(_Dim, reversed(sizes), reversed(strides)):
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
