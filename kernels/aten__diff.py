"""aten::diff: differences of neighbours along a dimension, once or repeatedly.

What comes before and behind is first joined to the tensor by the same kernel, told to copy. Each pass writes
one tensor of differences, in tiles of ROWS by COLUMNS over its row-major order; of two neighbours that are
read the second mostly lies in the cache. Half types are computed in float32, also from pass to pass, and
rounded once. Bools differ or don't.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton
import triton.language as tl

_TILE = 2048  # elements a program
_OUTER = 5  # dimensions besides the innermost, after merging


class _Dim(NamedTuple):
    size: int
    target: int
    source: int


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
def _wide(value):
    """Half types in float32, which rounds their difference far below their own last place if at all."""
    dtype: tl.constexpr = value.dtype
    if dtype == tl.float16 or dtype == tl.bfloat16:
        value = value.to(tl.float32)
    return value


@triton.jit
def _diff_kernel(
    target, source, step, rows, columns, target_column, source_column,
    n0, n1, n2, n3, t0, t1, t2, t3, t4, s0, s1, s2, s3, s4,
    OUTER: tl.constexpr, COPY: tl.constexpr, TRUTH: tl.constexpr, WIDE: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    blocks = tl.cdiv(columns, COLUMNS)
    row = (program // blocks) * ROWS + tl.arange(0, ROWS)
    column = ((program % blocks) * COLUMNS + tl.arange(0, COLUMNS)).to(tl.int64)[None, :]
    live = (row < rows)[:, None] & (column < columns)
    read = source + _offset(row, n0, n1, n2, n3, s0, s1, s2, s3, s4, OUTER)[:, None] + column * source_column
    write = target + _offset(row, n0, n1, n2, n3, t0, t1, t2, t3, t4, OUTER)[:, None] + column * target_column
    value = _wide(tl.load(read, mask=live, other=0))
    if not COPY:
        after = _wide(tl.load(read + step, mask=live, other=0))
        value = after ^ value if TRUTH else after - value
    tl.store(write, value.to(target.dtype.element_ty), mask=live)


def diff(
    self: torch.Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: torch.Tensor | None = None,
    append: torch.Tensor | None = None,
) -> torch.Tensor:
    """self[i + 1] - self[i] along `dim`, `n` times.

    Args:
        self: of rank 1 or more.
        n: how often; 0 gives a copy.
        dim: may be negative.
        prepend: what comes before `self` along `dim`; types promote.
        append: what comes behind.

    Returns:
        A contiguous tensor, shorter by `n` along `dim`, down to nothing.
    """
    dim %= self.dim()
    parts = [part for part in (prepend, self, append) if part is not None] if n else [self]
    line = _joined(parts, dim) if len(parts) > 1 or not n else self
    dtype = line.dtype
    between = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    for left in reversed(range(min(n, line.shape[dim]))):
        shape = [*line.shape[:dim], line.shape[dim] - 1, *line.shape[dim + 1 :]]
        out = torch.empty(shape, dtype=between if left else dtype, device=self.device)
        _launch(out, line, line.stride(dim))
        line = out
    return line if line is not self else torch.empty(self.shape, dtype=dtype, device=self.device)


def _joined(parts: list[torch.Tensor], dim: int) -> torch.Tensor:
    """A new tensor of the parts one after another along `dim`, in the type that all of them promote to."""
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = torch.promote_types(dtype, part.dtype)
    shape = list(parts[0].shape)
    shape[dim] = sum(part.shape[dim] for part in parts)
    whole = torch.empty(shape, dtype=dtype, device=parts[0].device)
    start = 0
    for part in parts:
        _launch(whole.narrow(dim, start, part.shape[dim]), part, None)
        start += part.shape[dim]
    return whole


def _launch(target: torch.Tensor, source: torch.Tensor, step: int | None) -> None:
    """Write differences of elements that lie `step` apart, or copies where that is None."""
    if not target.numel():
        return
    if target.is_complex():
        if not source.is_complex():
            raise TypeError(f"diff of {source.dtype} and {target.dtype} together is not supported")
        target, source, step = *map(torch.view_as_real, (target, source)), step and 2 * step
    inner, *outer = _merged(target, source)
    rows = target.numel() // inner.size
    columns_at_once = min(triton.next_power_of_2(inner.size), _TILE)
    rows_at_once = _TILE // columns_at_once
    programs = triton.cdiv(rows, rows_at_once) * triton.cdiv(inner.size, columns_at_once)
    padded = outer + [_Dim(1, 0, 0)] * (_OUTER - len(outer))
    _diff_kernel[(programs,)](
        _bytes(target), _bytes(source), step or 0, rows, *inner,
        *(dim.size for dim in padded[:-1]), *(dim.target for dim in padded), *(dim.source for dim in padded),
        OUTER=len(outer), COPY=step is None, TRUTH=target.dtype is torch.bool, WIDE=programs * _TILE >= 2**31,
        ROWS=rows_at_once, COLUMNS=columns_at_once,
    )  # fmt: skip


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """Bools as the bytes that they are."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


def _merged(target: torch.Tensor, source: torch.Tensor) -> list[_Dim]:
    """Dimensions of the target innermost first; those that follow one another in both are merged."""
    dims: list[_Dim] = []
    for dim in reversed(list(map(_Dim, target.shape, target.stride(), source.stride()))):
        last = dims[-1] if dims else None
        if dim.size == 1:
            continue
        if last and dim.target == last.target * last.size and dim.source == last.source * last.size:
            dims[-1] = _Dim(dim.size * last.size, last.target, last.source)
        else:
            dims.append(dim)
    if len(dims) > _OUTER + 1:
        raise NotImplementedError(f"{len(dims)} dimensions that don't merge; {_OUTER + 1} at most")
    return dims or [_Dim(1, 0, 0)]
