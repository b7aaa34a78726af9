"""aten::amin: the minimum over any set of dimensions, NaN where there is one, for any strides.

A program keeps the lowest of a tile of rows and columns. Where there are too few rows to keep the chip busy,
each row is split and a second launch of the same kernel reduces the parts.
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
def _amin(
    x, to, rows, n, chunk, parts, k1, k2, k3, a0, a1, a2, a3, r1, r2, r3, b0, b1, b2, b3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, WORK: tl.constexpr, HIGHEST: tl.constexpr,
):  # fmt: skip
    """The lowest of one part of each row into to[row, part]. Comparing by hand keeps NaN on every chip."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = x + _offset(index, k1, k2, k3, a0, a1, a2, a3)
    lowest = tl.full([ROWS, COLS], HIGHEST, WORK)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        value = tl.load(row[:, None] + _offset(col, r1, r2, r3, b0, b1, b2, b3)[None, :], mask=ok, other=0)
        value = tl.where(ok, value.to(WORK), HIGHEST)
        lowest = tl.where((value < lowest) | (value != value), value, lowest)
    is_nan = lowest != lowest
    result = tl.min(tl.where(is_nan, HIGHEST, lowest), 1)
    if lowest.dtype.is_floating():
        result = tl.where(tl.max(is_nan.to(tl.int32), 1) > 0, float("nan"), result)
    tl.store(to + index.to(tl.int64) * parts + part, result.to(to.dtype.element_ty), mask=index < rows)


def amin(self, dim=(), keepdim=False):
    """The minimum over `dim`; NaN counts as lower than anything."""
    reduced = _dims(dim, self.dim())
    out = torch.empty(_shape(self, reduced, keepdim), dtype=self.dtype, device=self.device)
    if out.numel() and not self.numel():
        raise IndexError("amin: the minimum of nothing is not defined")
    if out.numel():
        _reduce(self, out, reduced)
    return out


def _reduce(x, out, reduced):
    kept, gone = _groups(x, reduced)
    if max(len(kept), len(gone)) > 4:
        order = [d for d in range(x.dim()) if d not in reduced] + list(reduced)
        kept, x = [[out.numel(), x.numel() // out.numel()]], x.permute(order).contiguous()
        gone = [[kept[0][1], 1]]
    rows, n = out.numel(), x.numel() // out.numel()
    ROWS, COLS = _tile(rows, n, side_by_side=_innermost(kept) < _innermost(gone))
    blocks = triton.cdiv(rows, ROWS)
    chunk = _chunk(n, COLS, blocks)
    parts = triton.cdiv(n, chunk)
    dtype, WORK, HIGHEST = _working(x.dtype)
    to = out if parts == 1 else torch.empty((rows, parts), dtype=dtype, device=x.device)
    INDEX = tl.int32 if x.numel() < 2**30 else tl.int64
    options = {"INDEX": INDEX, "WORK": WORK, "HIGHEST": HIGHEST}
    grid = (blocks, parts)
    _amin[grid](x, to, rows, n, chunk, parts, *_grid(kept), *_grid(gone), ROWS=ROWS, COLS=COLS, **options)
    if parts > 1:
        ROWS, COLS = _tile(rows, parts, side_by_side=False)
        shape = (*_grid([[rows, parts]]), *_grid([[parts, 1]]))
        grid = (triton.cdiv(rows, ROWS), 1)
        _amin[grid](to, out, rows, parts, parts, 1, *shape, ROWS=ROWS, COLS=COLS, **options)


def _working(dtype):
    """The type compared in, for torch and for Triton, and its highest value."""
    if dtype == torch.float64:
        return dtype, tl.float64, float("inf")
    if dtype.is_floating_point:
        return torch.float32, tl.float32, float("inf")
    if dtype == torch.int64:
        return dtype, tl.int64, 2**63 - 1
    return torch.int32, tl.int32, 2**31 - 1


def _dims(dim, rank):
    """Which dimensions are reduced: all of them for None and for an empty list."""
    if rank == 0 or dim is None or dim == [] or dim == ():
        return set(range(rank))
    given = [dim] if isinstance(dim, int) else dim
    return {d % rank for d in given}


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
    """The kept and the reduced dimensions of x, merged; the order of the reduced ones is free."""
    dims = list(zip(x.shape, x.stride(), strict=True))
    kept = _merged([pair for d, pair in enumerate(dims) if d not in reduced])
    gone = _merged(sorted((dims[d] for d in reduced), key=lambda pair: -pair[1]))
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
    if side_by_side:
        height = min(128, rows)
        return height, min(n, TILE // height)
    width = min(n, TILE)
    return min(rows, TILE // width), width


def _chunk(n, COLS, blocks):
    """Columns for one program: all of them unless there are too few rows to keep the chip busy."""
    parts = max(1, min(triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS)))
    return triton.cdiv(triton.cdiv(max(n, 1), parts), COLS) * COLS
