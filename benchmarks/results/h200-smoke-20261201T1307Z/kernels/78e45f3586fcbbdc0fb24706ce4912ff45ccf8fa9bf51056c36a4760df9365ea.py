"""aten::mean: the mean over any set of dimensions, in a fixed order of additions, for any strides.

A program adds a tile of rows and columns. Where there are too few rows to keep the chip busy, each row is
split and a second launch of the same kernel adds the parts: no atomics, so equal inputs give equal bits.
Only the last launch divides.
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
def _mean(
    x, to, out, rows, n, chunk, parts, count, k1, k2, k3, a0, a1, a2, a3, r1, r2, r3, b0, b1, b2, b3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """Add columns of one part of each row into to[row, part]; elements become the type of `out` first."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    row = x + _offset(index, k1, k2, k3, a0, a1, a2, a3)
    total = tl.zeros([ROWS, COLS], ACC)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        value = tl.load(row[:, None] + _offset(col, r1, r2, r3, b0, b1, b2, b3)[None, :], mask=ok, other=0)
        total += value.to(out.dtype.element_ty).to(ACC)
    result = tl.sum(total, 1) / count
    tl.store(to + index.to(tl.int64) * parts + part, result.to(to.dtype.element_ty), mask=index < rows)


def mean(self, dim=None, keepdim=False, *, dtype=None):
    """The mean over `dim`, in the type of the input or in `dtype`."""
    dtype = dtype or self.dtype
    if not dtype.is_floating_point:
        raise TypeError(f"mean has no result of type {dtype}")
    reduced = _dims(dim, self.dim())
    out = torch.empty(_shape(self, reduced, keepdim), dtype=dtype, device=self.device)
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
    parts = max(1, triton.cdiv(n, chunk))
    acc, ACC = _accumulator(out.dtype)
    to = out if parts == 1 else torch.empty((rows, parts), dtype=acc, device=x.device)
    options = {"INDEX": tl.int32 if x.numel() < 2**30 else tl.int64, "ROWS": ROWS, "COLS": COLS, "ACC": ACC}
    count = n if parts == 1 else 1
    _mean[(blocks, parts)](
        x, to, out, rows, n, chunk, parts, count, *_grid(kept), *_grid(gone), **options
    )  # fmt: skip
    if parts > 1:
        _add_parts(to, out, n, options)


def _add_parts(partial, out, count, options):
    rows, n = partial.shape
    ROWS, COLS = _tile(rows, n, side_by_side=False)
    options = {**options, "ROWS": ROWS, "COLS": COLS}
    grid = (triton.cdiv(rows, ROWS), 1)
    _mean[grid](
        partial, out, partial, rows, n, n, 1, count, *_grid([[rows, n]]), *_grid([[n, 1]]), **options
    )  # fmt: skip


def _accumulator(dtype):
    return (torch.float64, tl.float64) if dtype == torch.float64 else (torch.float32, tl.float32)


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
