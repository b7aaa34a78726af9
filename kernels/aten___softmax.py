"""aten::_softmax: exp(x - max) over its sum along one dimension, for rows of any length and any strides.

Three ways, by shape: rows that fit in registers are read once; longer ones are read twice by one program,
which keeps a running maximum and sum (online softmax); few very long rows are split over many programs.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

IN_REGISTERS = 16384  # largest tile that one program holds
TILE = 4096  # elements of a tile otherwise
BUSY = 512  # programs that keep a large chip busy; with fewer, long rows are split
MAX_PARTS = 256  # of one row


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
def _load(x, row, row_ok, col, n, step, like, ACC: tl.constexpr):
    """A tile in the accumulation dtype, cast to the output dtype first as ATen does; -inf outside."""
    ok = row_ok[:, None] & (col < n)[None, :]
    offset = row[:, None] + (col.to(tl.int64) * step)[None, :]
    value = tl.load(x + offset, mask=ok, other=0).to(like.dtype.element_ty).to(ACC)
    return tl.where(ok, value, -float("inf"))


@triton.jit
def _store(y, row, row_ok, col, n, step, value):
    ok = row_ok[:, None] & (col < n)[None, :]
    offset = row[:, None] + (col.to(tl.int64) * step)[None, :]
    tl.store(y + offset, value.to(y.dtype.element_ty), mask=ok)


@triton.jit
def _anchor(high):
    """The maximum, or 0 while all is -inf: -inf - -inf would be NaN."""
    return tl.where(high == -float("inf"), 0.0, high)


@triton.jit
def _statistics(
    x, y, row, row_ok, first, last, step, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr
):  # fmt: skip
    """Maximum and sum of exp(x - maximum) over columns first .. last, by lane and then over the lanes."""
    high = tl.full([ROWS, COLS], -float("inf"), ACC)
    total = tl.zeros([ROWS, COLS], ACC)
    for start in range(first, last, COLS):
        value = _load(x, row, row_ok, start + tl.arange(0, COLS), last, step, y, ACC)
        higher = tl.maximum(high, value)
        anchor = _anchor(higher)
        total = total * tl.exp(high - anchor) + tl.exp(value - anchor)
        high = higher
    highest = tl.max(high, 1)
    return highest, tl.sum(total * tl.exp(high - _anchor(highest)[:, None]), 1)


@triton.jit
def _normalise(
    x, y, row, out_row, row_ok, first, last, step, out_step, high, total,
    COLS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """Write columns first .. last. A row of -inf gives NaN here, as it should."""
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        value = _load(x, row, row_ok, col, last, step, y, ACC)
        _store(y, out_row, row_ok, col, last, out_step, tl.exp(value - high[:, None]) / total[:, None])


@triton.jit
def _whole_rows(
    x, y, rows, n, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, COLS)
    value = _load(x, _offset(index, n1, n2, n3, x0, x1, x2, x3), index < rows, col, n, step, y, ACC)
    power = tl.exp(value - tl.max(value, 1)[:, None])
    out_row = _offset(index, n1, n2, n3, y0, y1, y2, y3)
    _store(y, out_row, index < rows, col, n, out_step, power / tl.sum(power, 1)[:, None])


@triton.jit
def _long_rows(
    x, y, rows, n, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    row = _offset(index, n1, n2, n3, x0, x1, x2, x3)
    out_row = _offset(index, n1, n2, n3, y0, y1, y2, y3)
    high, total = _statistics(x, y, row, index < rows, 0, n, step, ROWS, COLS, ACC)
    _normalise(x, y, row, out_row, index < rows, 0, n, step, out_step, high, total, COLS, ACC)


@triton.jit
def _split_statistics(
    x, y, highs, totals, rows, n, chunk, step, n1, n2, n3, x0, x1, x2, x3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, PARTS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = _offset(index, n1, n2, n3, x0, x1, x2, x3)
    high, total = _statistics(x, y, row, index < rows, first, last, step, ROWS, COLS, ACC)
    tl.store(highs + index * PARTS + part, high, mask=index < rows)
    tl.store(totals + index * PARTS + part, total, mask=index < rows)


@triton.jit
def _split_normalise(
    x, y, highs, totals, rows, n, chunk, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3, parts,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, PARTS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    every = tl.arange(0, PARTS)
    known = (index < rows)[:, None] & (every < parts)[None, :]
    place = index[:, None] * PARTS + every[None, :]
    part_high = tl.load(highs + place, mask=known, other=-float("inf"))
    high = tl.max(part_high, 1)
    weight = tl.exp(part_high - _anchor(high)[:, None])
    total = tl.sum(weight * tl.load(totals + place, mask=known, other=0.0), 1)
    first = tl.program_id(1).to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = _offset(index, n1, n2, n3, x0, x1, x2, x3)
    out_row = _offset(index, n1, n2, n3, y0, y1, y2, y3)
    _normalise(x, y, row, out_row, index < rows, first, last, step, out_step, high, total, COLS, ACC)


def _softmax(self, dim, half_to_float):
    """exp(self) along `dim` divided by its sum; the output lies in memory as the input does.

    Args:
        self: of a floating type, any rank.
        dim: may be negative.
        half_to_float: the result of a float16 input is float32, not rounded to float16 on the way.
    """
    if not self.is_floating_point():
        raise TypeError(f"_softmax has no result of type {self.dtype}")
    out = torch.empty_like(self, dtype=torch.float32 if half_to_float else self.dtype)
    if not self.numel():
        return out
    x, y = (self, out) if self.dim() else (self.view(1), out.view(1))
    dim %= x.dim()
    rows = _merged(
        [size for d, size in enumerate(x.shape) if d != dim],
        [step for d, step in enumerate(x.stride()) if d != dim],
        [step for d, step in enumerate(y.stride()) if d != dim],
    )
    if len(rows) > 4:
        return _softmax(self.contiguous(), dim, half_to_float)
    _launch(x, y, rows, dim)
    return out


def _merged(sizes, *strides):
    """Dimensions as (size, stride, ...), neighbours merged where every tensor steps through them evenly."""
    merged = []
    for size, *steps in zip(sizes, *strides, strict=True):
        if merged and all(last == step * size for last, step in zip(merged[-1][1:], steps, strict=True)):
            merged[-1] = (merged[-1][0] * size, *steps)
        elif size != 1:
            merged.append((size, *steps))
    return merged


def _launch(x, y, groups, dim):
    n, step, out_step = x.shape[dim], x.stride(dim), y.stride(dim)
    rows = x.numel() // n
    row_step = min([group[1] for group in groups if group[1]], default=n)
    ROWS, COLS = _tile(rows, n, side_by_side=0 < row_step < step)
    groups = groups + [(1, 0, 0)] * (4 - len(groups))
    (_, x0, y0), (n1, x1, y1), (n2, x2, y2), (n3, x3, y3) = groups
    places = (n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3)
    options = {
        "INDEX": tl.int32 if x.numel() < 2**30 else tl.int64,
        "ROWS": ROWS,
        "COLS": COLS,
        "ACC": tl.float64 if y.dtype == torch.float64 else tl.float32,
        "num_warps": 4 if ROWS * COLS <= TILE and n <= COLS else 8,
    }
    blocks = triton.cdiv(rows, ROWS)
    chunk = _chunk(n, COLS, blocks)
    if n <= COLS:
        _whole_rows[(blocks,)](x, y, rows, n, step, out_step, *places, **options)
    elif chunk >= n:
        _long_rows[(blocks,)](x, y, rows, n, step, out_step, *places, **options)
    else:
        _launch_split(x, y, rows, n, chunk, step, out_step, places, options, blocks)


def _tile(rows, n, side_by_side):
    """Rows and columns of a tile; `side_by_side` when rows, not columns, are neighbours in memory."""
    fits = triton.next_power_of_2(n)
    if side_by_side:
        height = min(64, triton.next_power_of_2(rows))
        return height, fits if fits * height <= IN_REGISTERS else TILE // height
    if fits > IN_REGISTERS:
        return 1, TILE
    return max(1, min(TILE // fits, triton.next_power_of_2(rows))), fits


def _chunk(n, COLS, blocks):
    """Columns for one program: a whole row unless there are too few rows to keep the chip busy."""
    parts = min(MAX_PARTS, triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS))
    return triton.cdiv(triton.cdiv(n, parts), COLS) * COLS


def _launch_split(x, y, rows, n, chunk, step, out_step, places, options, blocks):
    parts = triton.cdiv(n, chunk)
    acc = torch.float64 if y.dtype == torch.float64 else torch.float32
    highs = torch.empty((rows, MAX_PARTS), dtype=acc, device=x.device)
    totals = torch.empty_like(highs)
    grid = (blocks, parts)
    options = {**options, "PARTS": MAX_PARTS}
    _split_statistics[grid](x, y, highs, totals, rows, n, chunk, step, *places[:7], **options)
    _split_normalise[grid](x, y, highs, totals, rows, n, chunk, step, out_step, *places, parts, **options)
