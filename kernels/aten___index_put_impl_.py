"""aten::_index_put_impl_: values written, or added, to the elements that index tensors name, in place.

Several index tensors are first turned into one tensor of memory offsets; a single one is read as it is, a
negative number counted from the end. The kernel walks over the values, broadcast, in row-major order, in
tiles of ROWS by COLUMNS, and stores them as plain integers of their size. A mask whose values are the same
for every element that it names needs no list of places: the walk is over all of `self`, and the mask says
what is stored.

Sums are atomic: in place for types that have such an addition, else in float32 or int32 beside `self`, which
is added and rounded once. All tensors may lie in memory in any way.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import triton
import triton.language as tl

_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_ATOMIC = (torch.float32, torch.float64, torch.int32, torch.int64)
_TILE = 1024  # elements a program where each has its own 8-byte index
_TILE_BYTES = 8192  # a program where an index serves a row: 64 bytes a thread, four wide accesses in flight
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
    index: int
    target: int
    value: int


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
def _put_kernel(
    target, index, values, size, step, rows, columns, index_column, target_column, value_column,
    n0, n1, n2, n3, i0, i1, i2, i3, i4, t0, t1, t2, t3, t4, v0, v1, v2, v3, v4,
    OUTER: tl.constexpr, MASK: tl.constexpr, ADD: tl.constexpr, WIDE: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live = (row < rows)[:, None] & (column < columns)
    index_row = _offset(row, n0, n1, n2, n3, i0, i1, i2, i3, i4, OUTER)[:, None]
    place = target + _offset(row, n0, n1, n2, n3, t0, t1, t2, t3, t4, OUTER)[:, None] + column * target_column
    value_row = _offset(row, n0, n1, n2, n3, v0, v1, v2, v3, v4, OUTER)[:, None]
    picked = tl.load(index + index_row + column * index_column, mask=live, other=0)
    if MASK:
        live = live & (picked != 0)
    else:
        picked = picked.to(tl.int64)
        place += tl.where(picked < 0, picked + size, picked) * step
    value = tl.load(values + value_row + column * value_column, mask=live)
    if ADD:
        tl.atomic_add(place, value.to(target.dtype.element_ty), mask=live, sem="relaxed")
    else:
        tl.store(place, value, mask=live)


@triton.jit
def _fold_kernel(
    target, sums, count, n0, n1, n2, n3, t0, t1, t2, t3, t4,
    DIMS: tl.constexpr, TRUTH: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add contiguous sums to what they are for, where there is anything to add."""
    number = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    more = tl.load(sums + number, mask=number < count, other=0)
    place = target + _offset(number, n0, n1, n2, n3, t0, t1, t2, t3, t4, DIMS)
    total = tl.load(place, mask=more != 0, other=0).to(sums.dtype.element_ty) + more
    if TRUTH:
        total = tl.where(total != 0, 1, 0)
    tl.store(place, total.to(target.dtype.element_ty), mask=more != 0)


def _index_put_impl_(
    self: torch.Tensor,
    indices: list[torch.Tensor | None],
    values: torch.Tensor,
    accumulate: bool = False,
    unsafe: bool = False,
) -> torch.Tensor:
    """self[indices] = values, or += with every duplicate counted.

    Args:
        self: any dtype of 1 to 8 bytes, any strides without overlap.
        indices: int32 or int64 tensors that broadcast, or `None` for a whole dimension, for the leading
            dimensions; or one mask among `None`.
        values: of the same dtype; what broadcasts to self[indices]. With a mask the same for every element
            that it names.
        accumulate: whether to add.
        unsafe: says that the numbers need no check; none is made here in any case.

    Returns:
        `self`.
    """
    _put(self, indices, values, accumulate)
    return self


def _put(
    target: torch.Tensor, indices: list[torch.Tensor | None], values: torch.Tensor, accumulate: bool
) -> None:
    if values.dtype != target.dtype:
        raise TypeError(f"values of type {values.dtype} don't go into {target.dtype}")
    if target.is_complex():
        target, values = torch.view_as_real(target), torch.view_as_real(values)
    if not accumulate:
        bits = _BITS[target.element_size()]
        _scatter(target.view(bits), indices, values.view(bits), add=False)
    elif target.dtype in _ATOMIC:
        _scatter(target, indices, values, add=True)
    else:
        dtype = torch.float32 if target.is_floating_point() else torch.int32
        sums = torch.zeros(target.shape, dtype=dtype, device=target.device)
        _scatter(sums, indices, _bytes(values), add=True)
        _fold(target, sums)


def _scatter(
    target: torch.Tensor, indices: list[torch.Tensor | None], values: torch.Tensor, add: bool
) -> None:
    masked = any(index is not None and index.dtype == torch.bool for index in indices)
    picked = _masked(target, indices) if masked else _picked(target, indices)
    before, after, index = picked.before, picked.after, picked.index
    sizes = [*(target.shape[d] for d in before), *index.shape, *(target.shape[d] for d in after)]
    if 0 in sizes:
        return
    steps = list(target.stride())
    inside = steps[len(before) : target.dim() - len(after)] if masked else [0] * index.dim()
    target_steps = [*(steps[d] for d in before), *inside, *(steps[d] for d in after)]
    index_steps = [*[0] * len(before), *index.stride(), *[0] * len(after)]
    if masked:
        values = _same_for_all(values, picked)
    value_steps = list(values.expand(sizes).stride())
    merged = _merged(sizes, index_steps, target_steps, value_steps)
    _launch(target, values, picked, merged, masked, add)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """Bools as the bytes that they are."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


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


def _masked(target: torch.Tensor, indices: list[torch.Tensor | None]) -> _Picked:
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    if len(given) > 1:
        raise NotImplementedError("a mask beside other indices needs the number of elements that it names")
    first, mask = given[0]
    after = range(first + mask.dim(), target.dim())
    return _Picked(list(range(first)), list(after), mask.view(torch.uint8), 0, 0)


def _same_for_all(values: torch.Tensor, picked: _Picked) -> torch.Tensor:
    """Values whose dimension for what the mask names is one, spread over the dimensions of the mask."""
    place, rank = len(picked.before), len(picked.before) + 1 + len(picked.after)
    values = values[(None,) * (rank - values.dim())]
    if values.shape[place] != 1:
        raise NotImplementedError("values for each element of a mask need its place among the others")
    values = values.select(place, 0)
    return values[(slice(None),) * place + (None,) * picked.index.dim()]


def _launch(
    target: torch.Tensor,
    values: torch.Tensor,
    picked: _Picked,
    merged: list[tuple[int, ...]],
    masked: bool,
    add: bool,
) -> None:
    inner, *outer = map(_Dim._make, merged)
    rows = math.prod(dim.size for dim in outer)
    tile = _TILE if inner.index else _TILE_BYTES // target.element_size()
    columns_at_once = min(triton.next_power_of_2(inner.size), tile)
    rows_at_once = tile // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0, 0)] * (_OUTER - len(outer))
    _put_kernel[(programs,)](
        target, picked.index, values, picked.size, picked.step, rows, *inner,
        *(dim.size for dim in padded[:-1]), *(dim.index for dim in padded),
        *(dim.target for dim in padded), *(dim.value for dim in padded),
        OUTER=len(outer), MASK=masked, ADD=add, WIDE=programs * tile >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _fold(target: torch.Tensor, sums: torch.Tensor) -> None:
    if not sums.numel():
        return
    dims = _merged(list(target.shape), list(target.stride()))
    padded = dims + [(1, 0)] * (_OUTER - len(dims))
    _fold_kernel[(triton.cdiv(sums.numel(), _TILE),)](
        _bytes(target), sums, sums.numel(), *(size for size, _ in padded[:-1]), *(step for _, step in padded),
        DIMS=len(dims), TRUTH=target.dtype is torch.bool, BLOCK=_TILE,
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
