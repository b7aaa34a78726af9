"""aten::stack: tensors side by side along a new dimension, any strides, types promoted on the way.

Each input is copied into its slice of the output as a table of rows and columns. Inputs that are plain tables
(the usual case) go four to a launch; the others one by one, with up to four dimensions behind the rows.
"""

from __future__ import annotations

import math

import torch
import triton
import triton.language as tl

TILE = 4096  # elements of a tile


@triton.jit
def _copy_tile(
    x, y, rows, cols, x_row, x_col, y_row, y_col, n1, n2, n3, x1, x2, x3, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """Copy this program's tile; rows step through [?, n1, n2, n3] with strides x_row, x1, x2, x3."""
    tiles = tl.cdiv(cols, COLS)
    block = tl.program_id(0).to(INDEX)
    row = (block // tiles) * ROWS + tl.arange(0, ROWS)
    col = (block % tiles) * COLS + tl.arange(0, COLS)
    ok = (row < rows)[:, None] & (col < cols)[None, :]
    third = (row % n3).to(tl.int64)
    second = (row // n3 % n2).to(tl.int64)
    first = (row // n3 // n2 % n1).to(tl.int64)
    outer = (row // n3 // n2 // n1).to(tl.int64)
    source = outer * x_row + first * x1 + second * x2 + third * x3
    target = outer * y_row + first * y1 + second * y2 + third * y3
    col = col.to(tl.int64)
    value = tl.load(x + source[:, None] + (col * x_col)[None, :], mask=ok)
    tl.store(y + target[:, None] + (col * y_col)[None, :], value.to(y.dtype.element_ty), mask=ok)


@triton.jit
def _copy(
    x, y, rows, cols, x_row, x_col, y_row, y_col, n1, n2, n3, x1, x2, x3, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    _copy_tile(
        x, y, rows, cols, x_row, x_col, y_row, y_col, n1, n2, n3, x1, x2, x3, y1, y2, y3, INDEX, ROWS, COLS
    )


@triton.jit
def _copy_four(
    xa, xb, xc, xd, ya, yb, yc, yd, rows, a, b, c, d, a_row, b_row, c_row, d_row, y_row,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """Tables of `rows` rows with a, b, c and d adjacent elements; branches keep the accesses of each wide."""
    which = tl.program_id(1)
    if which == 0:
        _copy_tile(xa, ya, rows, a, a_row, 1, y_row, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, INDEX, ROWS, COLS)
    elif which == 1:
        _copy_tile(xb, yb, rows, b, b_row, 1, y_row, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, INDEX, ROWS, COLS)
    elif which == 2:
        _copy_tile(xc, yc, rows, c, c_row, 1, y_row, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, INDEX, ROWS, COLS)
    else:
        _copy_tile(xd, yd, rows, d, d_row, 1, y_row, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, INDEX, ROWS, COLS)


def stack(tensors: list[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """The tensors side by side along a new dimension `dim`.

    Args:
        tensors: of one shape, any dtypes.
        dim: of the result; may be negative.

    Returns:
        A contiguous tensor of the type that all of them promote to.
    """
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = torch.promote_types(dtype, tensor.dtype)
    shape = list(tensors[0].shape)
    dim %= len(shape) + 1
    shape.insert(dim, len(tensors))
    out = torch.empty(shape, dtype=dtype, device=tensors[0].device)
    if out.numel():
        # As tables of one column more, which merges with its neighbours.
        _copy_all([_raw(x.unsqueeze(dim), out.narrow(dim, i, 1)) for i, x in enumerate(tensors)])
    return out


def _raw(x, y):
    """Elements that stay as they are move as integers, whatever they mean; complex ones as pairs."""
    if x.dtype != y.dtype:
        if y.is_complex():
            raise TypeError(f"stack of {x.dtype} and {y.dtype} is not supported")
        return x, y
    if y.is_complex():
        x, y = torch.view_as_real(x), torch.view_as_real(y)
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[y.element_size()]
    return x.view(bits), y.view(bits)


def _copy_all(pairs):
    tables = []
    for x, y in pairs:
        dims = _merged(x, y)
        if len(dims) <= 2 and dims[-1][1:] == (1, 1):
            tables.append((x, y, dims))
        else:
            _copy_one(x, y, dims)
    for start in range(0, len(tables), 4):
        _copy_tables(tables[start : start + 4])


def _merged(x, y):
    """Dimensions as (size, stride of x, of y), as they lie in y; neighbours merged where both allow it."""
    merged = []
    for size, a, b in sorted(zip(x.shape, x.stride(), y.stride(), strict=True), key=lambda d: -d[2]):
        if merged and merged[-1][1] == a * size and merged[-1][2] == b * size:
            merged[-1] = (merged[-1][0] * size, a, b)
        elif size != 1:
            merged.append((size, a, b))
    return merged or [(1, 1, 1)]


def _copy_tables(tables):
    """Up to four tables with equally many rows; tables of another height start a launch of their own."""
    heights = {math.prod(size for size, _, _ in dims[:-1]) for _, _, dims in tables}
    for rows in sorted(heights):
        same = [t for t in tables if math.prod(size for size, _, _ in t[2][:-1]) == rows]
        full = same + same[:1] * (4 - len(same))
        widths = [dims[-1][0] for _, _, dims in full]
        steps = [dims[0][1] if rows > 1 else 0 for _, _, dims in full]
        y_row = full[0][2][0][2] if rows > 1 else 0
        ROWS, COLS = _tile(rows, max(widths), transposed=False)
        grid = (triton.cdiv(rows, ROWS) * triton.cdiv(max(widths), COLS), len(same))
        _copy_four[grid](
            *(x for x, _, _ in full), *(y for _, y, _ in full), rows, *widths, *steps, y_row,
            _index(sum(x.numel() for x, _, _ in same)), ROWS, COLS,
        )  # fmt: skip


def _copy_one(x, y, dims):
    if len(dims) > 5:
        d = max(range(y.dim()), key=lambda d: (y.stride(d), y.shape[d]) if y.shape[d] > 1 else (0, 0))
        for part, place in zip(x.unbind(d), y.unbind(d), strict=True):
            _copy_one(part, place, _merged(part, place))
        return
    *outer, (cols, x_col, y_col) = dims
    # Rows that lie next to each other in x are taken together: a transposition goes through a square tile.
    outer.sort(key=lambda d: -d[1])
    rows = math.prod(size for size, _, _ in outer)
    padded = [(1, 0, 0)] * (4 - len(outer)) + outer
    (_, x_row, y_row), (n1, x1, y1), (n2, x2, y2), (n3, x3, y3) = padded
    ROWS, COLS = _tile(rows, cols, transposed=0 < x3 < x_col)
    grid = (triton.cdiv(rows, ROWS) * triton.cdiv(cols, COLS),)
    _copy[grid](
        x, y, rows, cols, x_row, x_col, y_row, y_col, n1, n2, n3, x1, x2, x3, y1, y2, y3,
        _index(x.numel()), ROWS, COLS,
    )  # fmt: skip


def _index(count):
    return tl.int32 if count < 2**30 else tl.int64


def _tile(rows, cols, transposed):
    rows, cols = triton.next_power_of_2(rows), triton.next_power_of_2(cols)
    width = min(cols, 64 if transposed else 1024)
    return min(rows, TILE // width), width
