"""aten::sort: values in order along one dimension and where they came from, for rows of any length and any strides.

Elements become whole numbers that order as ATen orders the elements (NaN above all, both zeros equal); equal ones
keep their order. In a short row each element counts those that belong before it: one launch, nothing in between.
Long rows are sorted from their least significant digit on, four bits a pass: count the digits of every tile, turn
the counts into starting places, move the elements. Their values are fetched at the end by where they came from.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

SHORT = 1024  # longest row that is sorted by counting: its work grows with the square
TILE = 1024  # elements of a longer row that a program moves at a time
DIGITS = tl.constexpr(16)  # values of a digit of four bits


class Key(NamedTuple):
    """How elements of a type become signed numbers."""

    bits: int
    word: tl.dtype = tl.int32
    """The type that numbers are computed in."""
    infinity: int = 0
    """The bits of +Inf; 0 for whole numbers."""
    offset: int = 0
    """What is taken off an unsigned number to make it signed."""


KEYS = {
    torch.float16: Key(16, infinity=0x7C00),
    torch.bfloat16: Key(16, infinity=0x7F80),
    torch.float32: Key(32, infinity=0x7F800000),
    torch.float64: Key(64, word=tl.int64, infinity=0x7FF0000000000000),
    torch.uint8: Key(8, offset=128),
    torch.int8: Key(8),
    torch.int16: Key(16),
    torch.int32: Key(32),
    torch.int64: Key(64, word=tl.int64),
}


@triton.jit
def _offset(index, n1, n2, n3, s0, s1, s2, s3):
    """Memory offset of element `index` of a row-major grid whose last three sizes are n1, n2, n3."""
    offset = (index % n3).to(tl.int64) * s3
    index = index // n3
    offset += (index % n2).to(tl.int64) * s2
    index = index // n2
    offset += (index % n1).to(tl.int64) * s1
    return offset + (index // n1).to(tl.int64) * s0


@triton.jit
def _number(
    value, BITS: tl.constexpr, WORD: tl.constexpr, INFINITY: tl.constexpr,
    OFFSET: tl.constexpr, DESCENDING: tl.constexpr,
):  # fmt: skip
    """A signed number of BITS bits that orders as the value does: for a float, its magnitude with its sign."""
    if INFINITY > 0:
        # Triton 3.0 wants the type of a bitcast written out.
        if BITS == 16:
            raw = value.to(tl.int16, bitcast=True).to(tl.int32)
        elif BITS == 32:
            raw = value.to(tl.int32, bitcast=True)
        else:
            raw = value.to(tl.int64, bitcast=True)
        magnitude = raw & (2 ** (BITS - 1) - 1)
        number = tl.where(raw < 0, -magnitude, magnitude)
        number = tl.where(magnitude > INFINITY, 2 ** (BITS - 1) - 1, number)
    else:
        number = value.to(WORD) - OFFSET
    return ~number if DESCENDING else number


@triton.jit
def _rank(
    x, values, indices, rows, n, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    BITS: tl.constexpr, WORD: tl.constexpr, INFINITY: tl.constexpr, OFFSET: tl.constexpr,
    DESCENDING: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, OTHERS: tl.constexpr,
):  # fmt: skip
    """Put each element of a tile behind all that are smaller, and all before it that are equal."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(1) * COLS + tl.arange(0, COLS)
    ok = (row < rows)[:, None] & (col < n)[None, :]
    source = x + _offset(row, n1, n2, n3, x0, x1, x2, x3)[:, None]
    value = tl.load(source + (col.to(tl.int64) * step)[None, :], mask=ok, other=0)
    mine = _number(value, BITS, WORD, INFINITY, OFFSET, DESCENDING)[:, :, None]
    rank = tl.zeros([ROWS, COLS], tl.int32)
    for start in range(0, n, OTHERS):
        place = start + tl.arange(0, OTHERS)
        there = (row < rows)[:, None] & (place < n)[None, :]
        other = tl.load(source + (place.to(tl.int64) * step)[None, :], mask=there, other=0)
        other = _number(other, BITS, WORD, INFINITY, OFFSET, DESCENDING)[:, None, :]
        earlier = place[None, None, :] < col[None, :, None]
        before = ((other < mine) | ((other == mine) & earlier)) & (place < n)[None, None, :]
        rank += tl.sum(before.to(tl.int32), 2)
    target = _offset(row, n1, n2, n3, y0, y1, y2, y3)[:, None] + rank.to(tl.int64) * out_step
    tl.store(values + target, value, mask=ok)
    tl.store(indices + target, tl.broadcast_to(col[None, :], [ROWS, COLS]).to(tl.int64), mask=ok)


@triton.jit
def _load_numbers(
    x, keys, row, col, n, step, n1, n2, n3, x0, x1, x2, x3,
    BITS: tl.constexpr, WORD: tl.constexpr, INFINITY: tl.constexpr, OFFSET: tl.constexpr,
    DESCENDING: tl.constexpr, FIRST: tl.constexpr,
):  # fmt: skip
    """The numbers of a tile: made from the elements in the FIRST pass, as the pass before left them in others."""
    if FIRST:
        source = x + _offset(row, n1, n2, n3, x0, x1, x2, x3) + col.to(tl.int64) * step
        value = tl.load(source, mask=col < n, other=0)
        return _number(value, BITS, WORD, INFINITY, OFFSET, DESCENDING)
    else:
        return tl.load(keys + row * n + col, mask=col < n, other=0).to(WORD)


@triton.jit
def _digits(number, shift, col, n, LAST: tl.constexpr):
    """1 where an element of the tile has a digit, [TILE, DIGITS]; the sign is turned to order as the rest."""
    digit = ((number >> shift) & 15).to(tl.int32)
    if LAST:
        digit = digit ^ 8
    has = (digit[:, None] == tl.arange(0, DIGITS)[None, :]) & (col < n)[:, None]
    return has.to(tl.int32)


@triton.jit(do_not_specialize=["shift"])
def _count(
    x, keys, counts, n, tiles, shift, step, n1, n2, n3, x0, x1, x2, x3,
    BITS: tl.constexpr, WORD: tl.constexpr, INFINITY: tl.constexpr, OFFSET: tl.constexpr,
    DESCENDING: tl.constexpr, FIRST: tl.constexpr, LAST: tl.constexpr, TILE: tl.constexpr,
):  # fmt: skip
    """counts[row, digit, tile]: how many elements of a tile have a digit."""
    row = (tl.program_id(0) // tiles).to(tl.int64)
    tile = tl.program_id(0) % tiles
    col = tile * TILE + tl.arange(0, TILE)
    number = _load_numbers(
        x, keys, row, col, n, step, n1, n2, n3, x0, x1, x2, x3,
        BITS, WORD, INFINITY, OFFSET, DESCENDING, FIRST,
    )  # fmt: skip
    total = tl.sum(_digits(number, shift, col, n, LAST), 0)
    tl.store(counts + (row * DIGITS + tl.arange(0, DIGITS)) * tiles + tile, total)


@triton.jit
def _start(counts, n, BLOCK: tl.constexpr):
    """Turn the counts of a row into places to start at: for each, the sum of those before it."""
    row = counts + tl.program_id(0).to(tl.int64) * n
    carry = tl.zeros([BLOCK], counts.dtype.element_ty)
    for start in range(0, n, BLOCK):
        place = start + tl.arange(0, BLOCK)
        count = tl.load(row + place, mask=place < n, other=0)
        running = tl.cumsum(count, 0) + carry
        tl.store(row + place, running - count, mask=place < n)
        last = tl.sum(tl.where(tl.arange(0, BLOCK) == BLOCK - 1, running, 0), 0)
        carry = tl.zeros_like(carry) + last


@triton.jit(do_not_specialize=["shift"])
def _move(
    x, keys, order, starts, new_keys, new_order, values, indices, n, tiles, shift, step, out_step,
    n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    BITS: tl.constexpr, WORD: tl.constexpr, INFINITY: tl.constexpr, OFFSET: tl.constexpr,
    DESCENDING: tl.constexpr, FIRST: tl.constexpr, LAST: tl.constexpr, TILE: tl.constexpr,
):  # fmt: skip
    """Move a tile's elements behind those with a smaller digit and those with an equal one before them."""
    row = (tl.program_id(0) // tiles).to(tl.int64)
    tile = tl.program_id(0) % tiles
    col = tile * TILE + tl.arange(0, TILE)
    number = _load_numbers(
        x, keys, row, col, n, step, n1, n2, n3, x0, x1, x2, x3,
        BITS, WORD, INFINITY, OFFSET, DESCENDING, FIRST,
    )  # fmt: skip
    has = _digits(number, shift, col, n, LAST)
    start = tl.load(starts + (row * DIGITS + tl.arange(0, DIGITS)) * tiles + tile)
    place = tl.sum(has * (tl.cumsum(has, 0) - 1 + start[None, :]), 1)
    origin = col
    if not FIRST:
        origin = tl.load(order + row * n + col, mask=col < n, other=0)
    if LAST:
        source = x + _offset(row, n1, n2, n3, x0, x1, x2, x3) + origin.to(tl.int64) * step
        target = _offset(row, n1, n2, n3, y0, y1, y2, y3) + place.to(tl.int64) * out_step
        tl.store(values + target, tl.load(source, mask=col < n, other=0), mask=col < n)
        tl.store(indices + target, origin.to(tl.int64), mask=col < n)
    else:
        tl.store(new_keys + row * n + place, number.to(new_keys.dtype.element_ty), mask=col < n)
        tl.store(new_order + row * n + place, origin.to(new_order.dtype.element_ty), mask=col < n)


def sort(self, dim=-1, descending=False, *, stable=False):
    """Values in order along `dim` and their indices; NaN is largest. The order of equals is always kept."""
    values, indices = torch.empty_like(self), torch.empty_like(self, dtype=torch.int64)
    if self.numel():
        _sort(_plain(self), _plain(values), _plain(indices), dim % max(self.dim(), 1), descending)
    return values, indices


def _plain(tensor):
    """At least one dimension, and bytes instead of bools."""
    tensor = tensor if tensor.dim() else tensor.view(1)
    return tensor.view(torch.uint8) if tensor.dtype == torch.bool else tensor


def _sort(x, values, indices, dim, descending):
    others = [d for d in range(x.dim()) if d != dim]
    groups = _merged([(x.shape[d], x.stride(d), values.stride(d)) for d in others])
    if len(groups) > 4:
        for part in zip(x.unbind(others[0]), values.unbind(others[0]), indices.unbind(others[0]), strict=True):
            _sort(*part, dim - (dim > others[0]), descending)
        return
    (_, x0, y0), (n1, x1, y1), (n2, x2, y2), (n3, x3, y3) = groups + [(1, 0, 0)] * (4 - len(groups))
    steps = (x.stride(dim), values.stride(dim))
    place = (n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3)
    method = _sort_short if x.shape[dim] <= SHORT else _sort_long
    method(x, values, indices, x.shape[dim], steps, place, descending)


def _merged(dims):
    """Dimensions as (size, stride, stride), neighbours merged where both tensors step through them evenly."""
    merged = []
    for size, a, b in dims:
        if merged and merged[-1][1] == a * size and merged[-1][2] == b * size:
            merged[-1] = (merged[-1][0] * size, a, b)
        elif size != 1:
            merged.append((size, a, b))
    return merged


def _constants(key, descending):
    return {
        "BITS": key.bits,
        "WORD": key.word,
        "INFINITY": key.infinity,
        "OFFSET": key.offset,
        "DESCENDING": descending,
    }


def _sort_short(x, values, indices, n, steps, place, descending):
    rows = x.numel() // n
    width = min(triton.next_power_of_2(n), 128)
    height = min(triton.next_power_of_2(rows), max(1, 512 // width))
    _rank[(triton.cdiv(rows, height), triton.cdiv(n, width))](
        x, values, indices, rows, n, *steps, *place,
        **_constants(KEYS[x.dtype], descending), ROWS=height, COLS=width, OTHERS=min(width, 64),
    )  # fmt: skip


def _sort_long(x, values, indices, n, steps, place, descending):
    key = KEYS[x.dtype]
    rows, tiles = x.numel() // n, triton.cdiv(n, TILE)
    word = {8: torch.int8, 16: torch.int16, 32: torch.int32, 64: torch.int64}[key.bits]
    whole = torch.int32 if n < 2**30 else torch.int64
    keys, new_keys = torch.empty((2, rows, n), dtype=word, device=x.device).unbind()
    order, new_order = torch.empty((2, rows, n), dtype=whole, device=x.device).unbind()
    counts = torch.empty((rows, 16 * tiles), dtype=whole, device=x.device)
    grid = (rows * tiles,)
    for shift in range(0, key.bits, 4):
        options = {**_constants(key, descending), "FIRST": shift == 0, "LAST": shift == key.bits - 4}
        _count[grid](x, keys, counts, n, tiles, shift, steps[0], *place[:7], **options, TILE=TILE)
        _start[(rows,)](counts, 16 * tiles, BLOCK=min(4096, triton.next_power_of_2(16 * tiles)))
        _move[grid](
            x, keys, order, counts, new_keys, new_order, values, indices, n, tiles, shift, *steps, *place,
            **options, TILE=TILE, num_warps=8,
        )  # fmt: skip
        keys, new_keys, order, new_order = new_keys, keys, new_order, order
