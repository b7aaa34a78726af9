"""aten::argmax: the first index of the maximum along one dimension or of all, for any strides.

NaN counts as largest. A lane keeps the first best of the columns that it sees; the lanes are then compared by
value and, where equal, by index. Where there are too few rows to keep the chip busy, each row is split and a
second launch of the same kernel compares the parts.
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
def _argmax(
    x, places, best, at, rows, n, chunk, parts, k1, k2, k3, a0, a1, a2, a3, r1, r2, r3, b0, b1, b2, b3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, WORK: tl.constexpr, LOWEST: tl.constexpr,
    NOWHERE: tl.constexpr, FIRST: tl.constexpr, FINAL: tl.constexpr,
):  # fmt: skip
    """Index (and value, unless FINAL) of the maximum of one part of each row.

    FIRST: the columns are the indices, else `places` has them. NOWHERE: above every index.
    """
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = _offset(index, k1, k2, k3, a0, a1, a2, a3)
    high = tl.full([ROWS, COLS], LOWEST, WORK)
    # A lane that sees nothing higher than the lowest value has it in its first column.
    lane = first + tl.arange(0, COLS)
    place = tl.broadcast_to(lane[None, :], [ROWS, COLS])
    if not FIRST:
        known = (index < rows)[:, None] & (lane < last)[None, :]
        offset = row[:, None] + _offset(lane, r1, r2, r3, b0, b1, b2, b3)[None, :]
        place = tl.load(places + offset, mask=known, other=NOWHERE)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        offset = row[:, None] + _offset(col, r1, r2, r3, b0, b1, b2, b3)[None, :]
        value = tl.load(x + offset, mask=ok, other=0).to(WORK)
        here = col[None, :] if FIRST else tl.load(places + offset, mask=ok, other=0)
        # NaN beats numbers, nothing beats NaN, and a later equal never beats an earlier one.
        better = ok & (high == high) & ~(value <= high)
        high = tl.where(better, value, high)
        place = tl.where(better, here, place)
    is_nan = (high != high).to(tl.int32)
    any_nan = tl.max(is_nan, 1)
    highest = tl.max(tl.where(is_nan > 0, LOWEST, high), 1)
    hit = tl.where(any_nan[:, None] > 0, is_nan > 0, high == highest[:, None])
    target = index.to(tl.int64) * parts + part
    tl.store(at + target, tl.min(tl.where(hit, place, NOWHERE), 1), mask=index < rows)
    if not FINAL:
        if high.dtype.is_floating():
            highest = tl.where(any_nan > 0, float("nan"), highest)
        tl.store(best + target, highest, mask=index < rows)


def argmax(self, dim=None, keepdim=False):
    """The first index of the maximum along `dim`, or in the flattened tensor for None."""
    rank = self.dim()
    reduced = set(range(rank)) if dim is None or rank == 0 else {dim % rank}
    out = torch.empty(_shape(self, reduced, keepdim), dtype=torch.int64, device=self.device)
    if out.numel() and not self.numel():
        raise IndexError("argmax: nothing has no maximum")
    if out.numel():
        _reduce(self, out, reduced)
    return out


def _reduce(x, out, reduced):
    kept, gone = _groups(x, reduced)
    if max(len(kept), len(gone)) > 4:
        x = x.contiguous()
        kept, gone = _groups(x, reduced)
    rows, n = out.numel(), x.numel() // out.numel()
    ROWS, COLS = _tile(rows, n, side_by_side=_innermost(kept) < _innermost(gone))
    blocks = triton.cdiv(rows, ROWS)
    chunk = _chunk(n, COLS, blocks)
    parts = triton.cdiv(n, chunk)
    dtype, WORK, LOWEST = _working(x.dtype)
    short = x.numel() < 2**30
    options = {"INDEX": tl.int32 if short else tl.int64, "NOWHERE": 2**31 - 1 if short else 2**63 - 1}
    options = {**options, "WORK": WORK, "LOWEST": LOWEST}
    shape = (*_grid(kept), *_grid(gone))
    if parts == 1:
        options = {**options, "ROWS": ROWS, "COLS": COLS, "FIRST": True, "FINAL": True}
        _argmax[(blocks, 1)](x, out, x, out, rows, n, chunk, 1, *shape, **options)
        return
    best = torch.empty((rows, parts), dtype=dtype, device=x.device)
    at = torch.empty((rows, parts), dtype=torch.int32 if short else torch.int64, device=x.device)
    tile = {"ROWS": ROWS, "COLS": COLS, "FIRST": True, "FINAL": False}
    _argmax[(blocks, parts)](x, at, best, at, rows, n, chunk, parts, *shape, **tile, **options)
    ROWS, COLS = _tile(rows, parts, side_by_side=False)
    tile = {"ROWS": ROWS, "COLS": COLS, "FIRST": False, "FINAL": True}
    shape = (*_grid([[rows, parts]]), *_grid([[parts, 1]]))
    grid = (triton.cdiv(rows, ROWS), 1)
    _argmax[grid](best, at, best, out, rows, parts, parts, 1, *shape, **tile, **options)


def _working(dtype):
    """The type compared in, for torch and for Triton, and its lowest value."""
    if dtype == torch.float64:
        return dtype, tl.float64, -float("inf")
    if dtype.is_floating_point:
        return torch.float32, tl.float32, -float("inf")
    if dtype == torch.int64:
        return dtype, tl.int64, -(2**63)
    return torch.int32, tl.int32, -(2**31)


def _shape(x, reduced, keepdim):
    if keepdim:
        return [1 if d in reduced else size for d, size in enumerate(x.shape)]
    return [size for d, size in enumerate(x.shape) if d not in reduced]


def _merged(dims):
    """Dimensions as [size, stride], neighbours merged where one continues the other."""
    merged = []
    for size, stride in dims:
        if merged and merged[-1][1] == size * stride:
            merged[-1] = [merged[-1][0] * size, stride]
        elif size != 1:
            merged.append([size, stride])
    return merged


def _groups(x, reduced):
    """The kept and the reduced dimensions of x, merged, both in the order that defines the index."""
    dims = list(zip(x.shape, x.stride(), strict=True))
    kept = _merged([pair for d, pair in enumerate(dims) if d not in reduced])
    gone = _merged([pair for d, pair in enumerate(dims) if d in reduced])
    return kept, gone


def _grid(groups):
    """Sizes n1, n2, n3 and strides s0 .. s3, as `_offset` takes them."""
    full = groups + [[1, 0]] * (4 - len(groups))
    return [size for size, _ in full[1:]] + [stride for _, stride in full]


def _innermost(groups):
    """The smallest step in memory between neighbours."""
    return min([stride for _, stride in groups if stride], default=1 << 62)


def _tile(rows, n, side_by_side):
    """Rows and columns of a tile; `side_by_side` when rows, not columns, are neighbours in memory."""
    rows, n = triton.next_power_of_2(rows), triton.next_power_of_2(max(n, 1))
    if side_by_side:  # few columns, so that the lanes of a row are few too
        return min(256, rows), min(n, 4)
    width = min(n, TILE)
    return min(rows, TILE // width), width


def _chunk(n, COLS, blocks):
    """Columns for one program: all of them unless there are too few rows to keep the chip busy."""
    parts = max(1, min(triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS)))
    return triton.cdiv(triton.cdiv(max(n, 1), parts), COLS) * COLS
