"""aten::masked_fill_: a value wherever the mask is true, in place, the mask broadcast.

Every element of the view is read, chosen and written back: with a scattered mask that costs the same memory
sectors as writing only the masked elements, and keeps accesses wide. The walk follows the memory of `self`,
whatever the order of its dimensions, in tiles of ROWS by COLUMNS; nothing outside the view is touched.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_TILE_BYTES = 8192  # of `self` a program: 64 bytes a thread, four wide accesses in flight
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
    target: int
    mask: int


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
def _converted(value, like, POINTER: tl.constexpr, DOUBLE: tl.constexpr, TRUTH: tl.constexpr):
    """The value in the element type of a pointer, by way of float32 to 16-bit floats, as ATen rounds."""
    dtype: tl.constexpr = like.dtype.element_ty
    if POINTER:
        value = tl.load(value)
        if TRUTH:
            value = value != 0
        if dtype == tl.float16 or dtype == tl.bfloat16:
            value = value.to(tl.float32)
        value = value.to(dtype)
    elif DOUBLE:
        value = value.to(tl.int64).to(tl.float64, bitcast=True)
    else:
        value = tl.full((1, 1), value, dtype)
    return value


@triton.jit(do_not_specialize=["value"])
def _masked_fill_kernel(
    target, mask, value, rows, columns, target_column, mask_column,
    n0, n1, n2, n3, t0, t1, t2, t3, t4, m0, m1, m2, m3, m4,
    OUTER: tl.constexpr, POINTER: tl.constexpr, DOUBLE: tl.constexpr, TRUTH: tl.constexpr,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    column_blocks = tl.cdiv(columns, COLUMNS)
    row = (program // column_blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % column_blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live = (row < rows)[:, None] & (column < columns)
    place = target + _offset(row, n0, n1, n2, n3, t0, t1, t2, t3, t4, OUTER)[:, None] + column * target_column
    chosen = mask + _offset(row, n0, n1, n2, n3, m0, m1, m2, m3, m4, OUTER)[:, None] + column * mask_column
    filler = _converted(value, target, POINTER, DOUBLE, TRUTH)
    kept = tl.load(place, mask=live)
    tl.store(place, tl.where(tl.load(chosen, mask=live, other=0) != 0, filler, kept), mask=live)


def masked_fill_(self: torch.Tensor, mask: torch.Tensor, value: float | torch.Tensor) -> torch.Tensor:
    """self[mask] = value, in place.

    Args:
        self: real numbers or bool, any strides without overlap.
        mask: bool, broadcastable to the shape of `self`.
        value: a number or a 0-d tensor, converted to the dtype of `self`.

    Returns:
        `self`.
    """
    mask = mask.expand(self.shape)
    if not self.numel():
        return self
    if isinstance(value, torch.Tensor) and value.dim():
        raise RuntimeError(f"the value is a number or a 0-d tensor, not one of {value.dim()} dimensions")
    if isinstance(value, torch.Tensor) and value.device != self.device:
        value = value.item()  # a scalar on the host, which ATen takes too
    filler = _bytes(value) if isinstance(value, torch.Tensor) else _argument(value, self.dtype)
    _launch(_bytes(self), _bytes(mask), filler, truth=self.dtype is torch.bool)
    return self


def _argument(value: float, dtype: torch.dtype) -> float:
    """A number as a kernel argument; a float64 as its bit pattern, since Triton passes floats as float32."""
    if dtype is torch.float64:
        return int(struct.unpack("q", struct.pack("d", value))[0])
    if dtype is torch.bool:
        return int(bool(value))
    return float(value) if dtype.is_floating_point else int(value)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """Bools as the bytes that they are."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


def _launch(target: torch.Tensor, mask: torch.Tensor, value: float | torch.Tensor, truth: bool) -> None:
    inner, *outer = _merged(target, mask)
    rows = target.numel() // inner.size
    tile = _TILE_BYTES // target.element_size()
    columns_at_once = min(triton.next_power_of_2(inner.size), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0)] * (_OUTER - len(outer))
    pointer = isinstance(value, torch.Tensor)
    double = target.dtype is torch.float64 and not pointer
    _masked_fill_kernel[(programs,)](
        target, mask, value, rows, inner.size, inner.target, inner.mask,
        *(dim.size for dim in padded[:-1]), *(dim.target for dim in padded), *(dim.mask for dim in padded),
        OUTER=len(outer), POINTER=pointer, DOUBLE=double, TRUTH=truth,
        WIDE=programs * tile >= 2**31, ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _merged(target: torch.Tensor, mask: torch.Tensor) -> list[_Dim]:
    """Dimensions by their stride in the target, smallest first; those that follow one another are merged."""
    every = map(_Dim, target.shape, target.stride(), mask.stride())
    dims: list[_Dim] = []
    for dim in sorted((dim for dim in every if dim.size != 1), key=lambda dim: dim.target):
        last = dims[-1] if dims else None
        if last and dim.target == last.target * last.size and dim.mask == last.mask * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.target, last.mask)
        else:
            dims.append(dim)
    if len(dims) > _OUTER + 1:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_OUTER + 1} at most")
    return dims or [_Dim(1, 0, 0)]
