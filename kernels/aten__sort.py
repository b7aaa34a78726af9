"""aten::sort: values in order along one dimension and where they came from, for rows of any length and any strides.

Elements become whole numbers that order as ATen orders the elements (NaN above all, both zeros equal), and never
change place when equal, so the sort is stable. Rows that fit in a program are sorted by a bitonic network over
items that hold number and place; longer rows by least significant digits, four bits a pass: count the digits of
every tile, turn the counts into starting places, move the elements. The values are then fetched by their places.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

IN_PROGRAM = 2048  # longest row that is sorted within one program
TILE = 1024  # elements of a longer row that a program moves at a time
DIGITS = tl.constexpr(16)  # values of a digit of four bits


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
def _number(value, KEY: tl.constexpr, BITS: tl.constexpr, TOP: tl.constexpr, DESCENDING: tl.constexpr):
    """A signed number, at most TOP, that orders as the value does; its sign and magnitude for a float."""
    if value.dtype.is_floating():
        raw = value.to(BITS, bitcast=True).to(KEY)
        magnitude = raw & TOP
        number = tl.where(raw < 0, -magnitude, magnitude)
        number = tl.where(value != value, TOP, number)
    elif TOP == 127:
        number = value.to(KEY) - 128 if value.dtype.is_int_unsigned() else value.to(KEY)
    else:
        number = value.to(KEY)
    return ~number if DESCENDING else number


@triton.jit
def _swap_pairs(item, STEP: tl.constexpr, RUN: tl.constexpr, ROW: tl.constexpr, SIZE: tl.constexpr):
    """Order items STEP apart; runs of RUN items rise and fall in turn, those of a whole ROW rise."""
    pairs = tl.reshape(item, [SIZE // (2 * STEP), 2, STEP])
    other = tl.sum(pairs, 1)[:, None, :] - pairs
    is_second = tl.arange(0, 2)[None, :, None]
    if RUN == ROW:
        wants_larger = is_second
    else:
        block = tl.arange(0, SIZE // (2 * STEP))[:, None, None]
        wants_larger = is_second ^ (block // (RUN // (2 * STEP)) & 1)
    return tl.reshape(tl.where((pairs > other) == (wants_larger == 1), pairs, other), [SIZE])


@triton.jit
def _sort_rows(
    x, order_in, order_out, values, indices, rows, n, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    KEY: tl.constexpr, BITS: tl.constexpr, TOP: tl.constexpr, DESCENDING: tl.constexpr,
    ITEM: tl.constexpr, SHIFT: tl.constexpr, FIRST: tl.constexpr, FINAL: tl.constexpr,
    ROWS: tl.constexpr, COLS: tl.constexpr, LOG_COLS: tl.constexpr,
):  # fmt: skip
    """Sort rows by the digit of 32 bits (16 for ITEM int32) from SHIFT on, then by the place that they have now."""
    PLACE_BITS: tl.constexpr = 16 if ITEM == tl.int32 else 32
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, COLS)
    ok = (row < rows)[:, None] & (col < n)[None, :]
    source = x + _offset(row, n1, n2, n3, x0, x1, x2, x3)[:, None]
    scratch = row[:, None] * n
    place = tl.broadcast_to(col[None, :], [ROWS, COLS])
    if not FIRST:
        place = tl.load(order_in + scratch + place, mask=ok, other=0)
    number = _number(tl.load(source + place.to(tl.int64) * step, mask=ok, other=0), KEY, BITS, TOP, DESCENDING)
    if not FINAL:
        number = (number & 0xFFFFFFFF) - 0x80000000
    digit = tl.where(ok, (number >> SHIFT).to(ITEM), (1 << (PLACE_BITS - 1)) - 1)
    item = tl.reshape((digit << PLACE_BITS) | col[None, :].to(ITEM), [ROWS * COLS])
    for run in tl.static_range(1, LOG_COLS + 1):
        for step_bits in tl.static_range(0, run):
            item = _swap_pairs(item, 2 ** (run - 1 - step_bits), 2**run, COLS, ROWS * COLS)
    place = (tl.reshape(item, [ROWS, COLS]) & ((1 << PLACE_BITS) - 1)).to(tl.int32)
    if not FIRST:
        place = tl.load(order_in + scratch + place, mask=ok, other=0)
    if FINAL:
        value = tl.load(source + place.to(tl.int64) * step, mask=ok, other=0)
        target = _offset(row, n1, n2, n3, y0, y1, y2, y3)[:, None] + (col.to(tl.int64) * out_step)[None, :]
        tl.store(values + target, value, mask=ok)
        tl.store(indices + target, place.to(tl.int64), mask=ok)
    else:
        tl.store(order_out + scratch + col[None, :], place, mask=ok)
