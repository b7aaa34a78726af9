"""aten::pairwise_distance: the p-norm of x1 - x2 + eps along the last dimension, broadcast, for any strides.

A program takes a tile of rows and walks along their columns. Where there are too few rows to keep the chip
busy, each row is split and a second launch puts the parts together.
"""

from __future__ import annotations

import math
import struct

import torch
import triton
import triton.language as tl

TILE = 2048  # elements that a program loads of each input at a time
BUSY = 512  # programs that keep a large chip busy; with fewer, long rows are split
MAX_PARTS = 256  # of one row

_COUNT = tl.constexpr(0)  # ways to accumulate: p is 0, 1, 2, inf, -inf, or anything else
_SUM = tl.constexpr(1)
_SQUARES = tl.constexpr(2)
_LARGEST = tl.constexpr(3)
_SMALLEST = tl.constexpr(4)
_POWERS = tl.constexpr(5)


@triton.jit
def _number(number, compute: tl.constexpr):
    """A number of the host. A kernel takes no float64: one comes as the bits of an int64."""
    if compute == tl.float64:
        value = tl.full([1], number, tl.int64).to(tl.float64, bitcast=True)
    else:
        value = tl.full([1], number, tl.float32)
    return value


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
def _larger(a, b):
    """The larger of two, or NaN where one is."""
    return tl.where((a > b) | (a != a), a, b)


@triton.jit
def _smaller(a, b):
    """The smaller of two, or NaN where one is."""
    return tl.where((a < b) | (a != a), a, b)


@triton.jit
def _term(value, p, MODE: tl.constexpr):
    """What a difference adds to its row."""
    if MODE == _COUNT:
        value = tl.where(value == 0, 0.0, 1.0).to(value.dtype)
    elif MODE == _SQUARES:
        value = value * value
    else:
        value = tl.abs(value)
    if MODE == _POWERS:
        value = tl.exp2(p * tl.log2(value))
    return value


@triton.jit
def _merge(a, b, MODE: tl.constexpr):
    if MODE == _LARGEST:
        both = _larger(a, b)
    elif MODE == _SMALLEST:
        both = _smaller(a, b)
    else:
        both = a + b
    return both


@triton.jit
def _together(tile, MODE: tl.constexpr):
    """A tile of terms or parts, put together along its rows."""
    if MODE == _LARGEST:
        total = tl.reduce(tile, 1, _larger)
    elif MODE == _SMALLEST:
        total = tl.reduce(tile, 1, _smaller)
    else:
        total = tl.sum(tile, 1)
    return total


@triton.jit
def _norm(total, p, MODE: tl.constexpr):
    norm = total
    if MODE == _SQUARES:
        norm = tl.sqrt(total)
    if MODE == _POWERS:
        norm = tl.exp2(tl.log2(total) / p)
    return norm


@triton.jit(do_not_specialize=["p", "eps"])
def _distances(
    x, y, to, p, eps, rows, n, chunk, parts, x_step, y_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, NEUTRAL: tl.constexpr,
    DIFF: tl.constexpr, ACC: tl.constexpr, MODE: tl.constexpr, LAST: tl.constexpr,
):  # fmt: skip
    """The norm of each row, or with LAST not set what one of its parts adds to it."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    x_row = x + _offset(index, n1, n2, n3, x0, x1, x2, x3)[:, None]
    y_row = y + _offset(index, n1, n2, n3, y0, y1, y2, y3)[:, None]
    power, shift = _number(p, ACC)[:, None], _number(eps, ACC)[:, None]
    found = tl.full([ROWS, COLS], NEUTRAL, ACC)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < rows)[:, None] & (col < last)[None, :]
        col = col.to(tl.int64)[None, :]
        left = tl.load(x_row + col * x_step, mask=ok, other=0).to(DIFF)
        right = tl.load(y_row + col * y_step, mask=ok, other=0).to(DIFF)
        term = _term((left - right).to(ACC) + shift, power, MODE)
        found = _merge(found, tl.where(ok, term, NEUTRAL), MODE)
    total = _together(found, MODE)
    if LAST:
        total = _norm(total, _number(p, ACC), MODE)
    place = index.to(tl.int64) * parts + part
    tl.store(to + place, total.to(to.dtype.element_ty), mask=index < rows)


@triton.jit(do_not_specialize=["p"])
def _of_parts(
    found, out, p, count, NEUTRAL: tl.constexpr, PARTS: tl.constexpr, ACC: tl.constexpr, MODE: tl.constexpr
):  # fmt: skip
    """The norm of one row from its parts."""
    row = tl.program_id(0).to(tl.int64)
    every = tl.arange(0, PARTS)
    part = tl.load(found + row * count + every, mask=every < count, other=NEUTRAL)
    total = _together(part[None, :], MODE)
    norm = _norm(total, _number(p, ACC), MODE)
    tl.store(out + row + tl.arange(0, 1), norm.to(out.dtype.element_ty))


def pairwise_distance(
    x1: torch.Tensor, x2: torch.Tensor, p: float = 2, eps: float = 1e-06, keepdim: bool = False
) -> torch.Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    promoted = torch.result_type(x1, x2)
    dtype = promoted if promoted.is_floating_point else torch.get_default_dtype()
    shape = torch.broadcast_shapes(x1.shape, x2.shape)
    kept = shape[:-1] + ((1,) if keepdim and shape else ())
    out = torch.empty(kept, dtype=dtype, device=x1.device)
    if not out.numel():
        return out
    if 0 in shape and math.isinf(p):
        raise RuntimeError(f"pairwise_distance has no norm of order {p} of nothing")
    columns = shape or (1,)
    _launch(x1.expand(columns), x2.expand(columns), out, float(p), float(eps), promoted)
    return out


def _launch(
    x: torch.Tensor, y: torch.Tensor, out: torch.Tensor, p: float, eps: float, promoted: torch.dtype
) -> None:
    groups = _merged(x, y)
    if len(groups) > 4:
        x, y = x.contiguous(), y.contiguous()
        groups = _merged(x, y)
    sizes, x_steps, y_steps = zip(*[(1, 0, 0)] * (4 - len(groups)), *groups, strict=True)
    rows, n = out.numel(), x.shape[-1]
    COLS = min(TILE, triton.next_power_of_2(max(1, n)))
    ROWS = min(TILE // COLS, triton.next_power_of_2(rows))
    wide = out.dtype is torch.float64
    shared = {
        "NEUTRAL": math.inf if p == -math.inf else 0.0,
        "ACC": tl.float64 if wide else tl.float32,
        "MODE": {0.0: 0, 1.0: 1, 2.0: 2, math.inf: 3, -math.inf: 4}.get(p, 5),
    }
    blocks = triton.cdiv(rows, ROWS)
    chunk = _chunk(n, COLS, blocks)
    parts = max(1, triton.cdiv(n, chunk))
    acc = torch.float64 if wide else torch.float32
    to = out if parts == 1 else torch.empty((rows, parts), dtype=acc, device=out.device)
    power, shift = _encoded(p, wide), _encoded(eps, wide)
    _distances[(blocks, parts)](
        x, y, to, power, shift, rows, n, chunk, parts, x.stride(-1), y.stride(-1),
        *sizes[1:], *x_steps, *y_steps,
        INDEX=tl.int32 if max(rows, n) < 2**30 else tl.int64, ROWS=ROWS, COLS=COLS,
        DIFF=_difference_type(promoted), LAST=parts == 1, **shared,
    )  # fmt: skip
    if parts > 1:
        _of_parts[(rows,)](to, out, power, parts, PARTS=triton.next_power_of_2(parts), **shared)


def _difference_type(promoted: torch.dtype) -> tl.dtype:
    """Whole numbers are subtracted as such, half precision in float32."""
    if not promoted.is_floating_point:
        return getattr(tl, str(promoted).removeprefix("torch."))
    return tl.float64 if promoted is torch.float64 else tl.float32


def _merged(x: torch.Tensor, y: torch.Tensor) -> list[tuple[int, int, int]]:
    """Size and strides of all dimensions but the last; neighbours merged where both inputs allow it."""
    merged: list[tuple[int, int, int]] = []
    for size, step, other in zip(x.shape[:-1], x.stride()[:-1], y.stride()[:-1], strict=True):
        if size == 1:
            continue
        if merged and merged[-1][1:] == (step * size, other * size):
            merged[-1] = (merged[-1][0] * size, step, other)
        else:
            merged.append((size, step, other))
    return merged


def _encoded(number: float, wide: bool) -> float:
    """A number as `_number` expects it."""
    return struct.unpack("<q", struct.pack("<d", number))[0] if wide else number


def _chunk(n: int, COLS: int, blocks: int) -> int:
    """Columns for one program: a whole row unless there are too few rows to keep the chip busy."""
    parts = max(1, min(MAX_PARTS, triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS)))
    return max(COLS, triton.cdiv(triton.cdiv(n, parts), COLS) * COLS)
