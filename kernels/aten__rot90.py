"""aten::rot90: a turn by quarters in the plane of two dimensions.

A turn is a flip of one dimension or of both, and for an odd number of quarters the two are swapped besides.
Swapping is a matter of strides; so the kernel only copies, some dimensions backwards, in the order in which
the input lies in memory, and both sides move in long runs. Elements move as plain integers of their size.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_TILE_BYTES = 8192  # a program: 64 bytes a thread, four wide accesses in flight
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
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
def _flip_kernel(
    target, source, first, rows, columns, target_column, source_column,
    n0, n1, n2, n3, t0, t1, t2, t3, t4, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """Copy; a flipped dimension has a negative source stride, and `first` is where the first element lies."""
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live = (row < rows)[:, None] & (column < columns)
    read = first + _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)[:, None] + column * source_column
    write = _offset(row, n0, n1, n2, n3, t0, t1, t2, t3, t4, OUTER)[:, None] + column * target_column
    tl.store(target + write, tl.load(source + read, mask=live), mask=live)


def rot90(self: torch.Tensor, k: int = 1, dims: list[int] | tuple[int, ...] = (0, 1)) -> torch.Tensor:
    """`self` turned by `k` quarters from the first of `dims` towards the second.

    Args:
        self: any dtype of 1 to 8 bytes, of rank 2 or more.
        k: any whole number; negative ones turn the other way.
        dims: two different dimensions; may be negative.

    Returns:
        A tensor of its own memory, which for an odd `k` lies as the input does with the two swapped.
    """
    one, other = (dim % self.dim() for dim in dims)
    flipped = {0: (), 1: (other,), 2: (one, other), 3: (one,)}[k % 4]
    out = torch.empty_like(self)
    if out.numel():
        _launch(out, self, flipped)
    return out.transpose(one, other) if k % 2 else out


def _launch(out: torch.Tensor, source: torch.Tensor, flipped: tuple[int, ...]) -> None:
    first = sum((source.shape[dim] - 1) * source.stride(dim) for dim in flipped)
    signed = [-step if dim in flipped else step for dim, step in enumerate(source.stride())]
    inner, *outer = _merged(out, signed)
    rows = out.numel() // inner.size
    tile = _TILE_BYTES // out.element_size()
    columns_at_once = min(triton.next_power_of_2(inner.size), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0)] * (_OUTER - len(outer))
    bits = _BITS[out.element_size()]
    _flip_kernel[(programs,)](
        out.view(bits), source.view(bits), first, rows, inner.size, inner.target, inner.source,
        *(dim.size for dim in padded[:-1]), *(dim.target for dim in padded), *(dim.source for dim in padded),
        OUTER=len(outer), WIDE=programs * tile >= 2**31, ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _merged(out: torch.Tensor, source: list[int]) -> list[_Dim]:
    """Dimensions by their stride in the output, smallest first; those that follow one another are merged."""
    every = map(_Dim, out.shape, out.stride(), source)
    dims: list[_Dim] = []
    for dim in sorted((dim for dim in every if dim.size != 1), key=lambda dim: dim.target):
        last = dims[-1] if dims else None
        if last and dim.target == last.target * last.size and dim.source == last.source * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.target, last.source)
        else:
            dims.append(dim)
    if len(dims) > _OUTER + 1:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_OUTER + 1} at most")
    return dims or [_Dim(1, 0, 0)]
