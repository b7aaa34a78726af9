"""aten::cumsum: running sums along one dimension, for rows of any length and any strides.

A program walks along a tile of rows, block by block, and carries the sum so far. Where there are too few rows to
keep the chip busy, each row is split: the parts are added up, their sums are scanned, and then every part is
walked with the sum before it as its start. The order of additions is fixed, so equal inputs give equal bits.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

TILE = 4096  # elements that a program loads at a time
BUSY = 1024  # programs that keep a large chip busy; with fewer, rows are split


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
def _scan(
    x, out, sums, rows, n, chunk, parts, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr, SPLIT: tl.constexpr,
):  # fmt: skip
    """Running sums of one part of each row; if SPLIT, on top of sums[row, part - 1], the sum of what is before."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = x + _offset(index, n1, n2, n3, x0, x1, x2, x3)
    out_row = out + _offset(index, n1, n2, n3, y0, y1, y2, y3)
    carry = tl.zeros([ROWS], ACC)
    if SPLIT:
        before = sums + index.to(tl.int64) * parts + tl.maximum(part - 1, 0)
        carry = tl.where(part > 0, tl.load(before, mask=index < rows, other=0), carry)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        along = col.to(tl.int64)
        value = tl.load(row[:, None] + (along * step)[None, :], mask=ok, other=0)
        value = value.to(out.dtype.element_ty).to(ACC)
        running = tl.cumsum(value, 1) + carry[:, None]
        tl.store(out_row[:, None] + (along * out_step)[None, :], running.to(out.dtype.element_ty), mask=ok)
        # The last running sum; `carry += tl.sum(value, 1)` trips an assertion in Triton 3.0's compiler.
        carry = tl.sum(tl.where((tl.arange(0, COLS) == COLS - 1)[None, :], running, 0), 1)


@triton.jit
def _part_sums(
    x, out, sums, rows, n, chunk, parts, step, n1, n2, n3, x0, x1, x2, x3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """The sum of each part of each row; elements become the type of `out` first."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = x + _offset(index, n1, n2, n3, x0, x1, x2, x3)
    total = tl.zeros([ROWS, COLS], ACC)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        value = tl.load(row[:, None] + (col.to(tl.int64) * step)[None, :], mask=ok, other=0)
        total += value.to(out.dtype.element_ty).to(ACC)
    tl.store(sums + index.to(tl.int64) * parts + part, tl.sum(total, 1), mask=index < rows)


def cumsum(self, dim, *, dtype=None):
    """Running sums along `dim`; whole numbers and bool add up in int64 unless `dtype` is given."""
    if dtype is None:
        dtype = self.dtype if self.is_floating_point() else torch.int64
    out = torch.empty_like(self, dtype=dtype)
    if not self.numel():
        return out
    x, y = (self, out) if self.dim() else (self.view(1), out.view(1))
    dim %= x.dim()
    others = [d for d in range(x.dim()) if d != dim]
    groups = _merged([(x.shape[d], x.stride(d), y.stride(d)) for d in others])
    if len(groups) > 4:
        return cumsum(self.contiguous(), dim, dtype=dtype)
    _launch(x, y, groups, dim)
    return out


def _merged(dims):
    """Dimensions as (size, stride, stride), neighbours merged where both tensors step through them evenly."""
    merged = []
    for size, a, b in dims:
        if merged and merged[-1][1] == a * size and merged[-1][2] == b * size:
            merged[-1] = (merged[-1][0] * size, a, b)
        elif size != 1:
            merged.append((size, a, b))
    return merged


def _launch(x, y, groups, dim):
    n, step, out_step = x.shape[dim], x.stride(dim), y.stride(dim)
    rows = x.numel() // n
    row_step = min((group[1] for group in groups if group[1]), default=step)
    ROWS, COLS = _tile(rows, n, side_by_side=row_step < step)
    (_, x0, y0), (n1, x1, y1), (n2, x2, y2), (n3, x3, y3) = groups + [(1, 0, 0)] * (4 - len(groups))
    acc, ACC = _accumulator(y.dtype)
    tile = {"INDEX": tl.int32 if x.numel() < 2**30 else tl.int64, "ROWS": ROWS, "COLS": COLS, "ACC": ACC}
    sizes, steps, out_steps = (n1, n2, n3), (x0, x1, x2, x3), (y0, y1, y2, y3)
    blocks = triton.cdiv(rows, ROWS)
    chunk = _chunk(n, COLS, blocks)
    parts = triton.cdiv(n, chunk)
    sums = y
    if parts > 1:
        sums = torch.empty((rows, parts), dtype=acc, device=x.device)
        _part_sums[(blocks, parts)](x, y, sums, rows, n, chunk, parts, step, *sizes, *steps, **tile)
        _scan_in_place(sums, tile)
    _scan[(blocks, parts)](
        x, y, sums, rows, n, chunk, parts, step, out_step, *sizes, *steps, *out_steps, **tile, SPLIT=parts > 1
    )


def _scan_in_place(sums, tile):
    rows, n = sums.shape
    tile = {**tile, "ROWS": 1, "COLS": triton.next_power_of_2(n)}
    shape = (1, 1, 1, n, 0, 0, 0, n, 0, 0, 0)
    _scan[(rows, 1)](sums, sums, sums, rows, n, n, 1, 1, 1, *shape, **tile, SPLIT=False)


def _tile(rows, n, side_by_side):
    """Rows and columns of a tile; `side_by_side` when rows, not columns, are neighbours in memory."""
    rows, n = triton.next_power_of_2(rows), triton.next_power_of_2(n)
    if side_by_side:
        height = min(128, rows)
        return height, min(n, TILE // height)
    width = min(n, TILE)
    return min(rows, TILE // width), width


def _chunk(n, COLS, blocks):
    """Columns for one program: all of them unless there are too few rows to keep the chip busy."""
    parts = min(triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS))
    return triton.cdiv(triton.cdiv(n, parts), COLS) * COLS


def _accumulator(dtype):
    if dtype == torch.float64:
        return torch.float64, tl.float64
    return (torch.float32, tl.float32) if dtype.is_floating_point else (torch.int64, tl.int64)
