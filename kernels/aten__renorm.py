"""aten::renorm: slices along one dimension scaled down to a limit on their p-norm, for any strides.

Slices that fit in registers are read once. Longer ones are read twice: one launch adds up parts of each,
so that few long slices keep the chip busy too, and a second one puts the parts together and scales. Elements
of a slice are taken in memory order, whichever dimensions they come from.
"""

from __future__ import annotations

import math
import struct

import torch
import triton
import triton.language as tl

IN_REGISTERS = 8192  # largest tile that one program holds
TILE = 4096  # elements of a tile otherwise
BUSY = 512  # programs that keep a large chip busy; with fewer, long slices are split
MAX_PARTS = 256  # of one slice

_SUM = tl.constexpr(1)  # ways to accumulate: p is 1, 2, inf, or anything else
_SQUARES = tl.constexpr(2)
_LARGEST = tl.constexpr(3)
_POWERS = tl.constexpr(4)


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
def _term(value, p, MODE: tl.constexpr):
    """What an element adds to its slice."""
    value = value * value if MODE == _SQUARES else tl.abs(value)
    if MODE == _POWERS:
        value = tl.exp2(p * tl.log2(value))
    return value


@triton.jit
def _together(tile, MODE: tl.constexpr):
    """A tile of terms or parts, put together along its rows."""
    return tl.reduce(tile, 1, _larger) if MODE == _LARGEST else tl.sum(tile, 1)


@triton.jit
def _factor(total, p, limit, MODE: tl.constexpr):
    """What a slice is multiplied by. A norm of NaN is no larger than the limit, as ATen has it."""
    norm = total
    if MODE == _SQUARES:
        norm = tl.sqrt(total)
    if MODE == _POWERS:
        norm = tl.exp2(tl.log2(total) / p)
    return tl.where(norm > limit, limit / (norm + 1e-7), 1.0)


@triton.jit(do_not_specialize=["p", "limit"])
def _whole_slices(
    x, y, p, limit, slices, n, step, out_step, n1, n2, n3, x0, x1, x2, x3, y0, y1, y2, y3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, ACC: tl.constexpr, MODE: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, COLS)
    ok = (index < slices)[:, None] & (col < n)[None, :]
    at = (index.to(tl.int64) * step)[:, None] + _offset(col, n1, n2, n3, x0, x1, x2, x3)[None, :]
    value = tl.load(x + at, mask=ok, other=0).to(ACC)
    total = _together(tl.where(ok, _term(value, _number(p, ACC)[:, None], MODE), 0.0), MODE)
    scaled = value * _factor(total, _number(p, ACC), _number(limit, ACC), MODE)[:, None]
    at = (index.to(tl.int64) * out_step)[:, None] + _offset(col, n1, n2, n3, y0, y1, y2, y3)[None, :]
    tl.store(y + at, scaled.to(y.dtype.element_ty), mask=ok)


@triton.jit(do_not_specialize=["p"])
def _parts_of_slices(
    x, parts, p, slices, n, chunk, step, n1, n2, n3, x0, x1, x2, x3,
    INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, PARTS: tl.constexpr,
    ACC: tl.constexpr, MODE: tl.constexpr,
):  # fmt: skip
    """Terms of columns part * chunk .. (part + 1) * chunk of each slice into parts[slice, part]."""
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    part = tl.program_id(1)
    first = part.to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    start_of = (index.to(tl.int64) * step)[:, None]
    found = tl.zeros([ROWS, COLS], ACC)
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < slices)[:, None] & (col < last)[None, :]
        at = start_of + _offset(col, n1, n2, n3, x0, x1, x2, x3)[None, :]
        value = tl.load(x + at, mask=ok, other=0).to(ACC)
        term = tl.where(ok, _term(value, _number(p, ACC)[:, None], MODE), 0.0)
        if MODE == _LARGEST:
            found = _larger(found, term)
        else:
            found += term
    tl.store(parts + index.to(tl.int64) * PARTS + part, _together(found, MODE), mask=index < slices)


@triton.jit(do_not_specialize=["p", "limit"])
def _scaled_slices(
    x, y, parts, p, limit, slices, n, chunk, count, step, out_step, n1, n2, n3, x0, x1, x2, x3,
    y0, y1, y2, y3, INDEX: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr, PARTS: tl.constexpr,
    ACC: tl.constexpr, MODE: tl.constexpr,
):  # fmt: skip
    index = tl.program_id(0).to(INDEX) * ROWS + tl.arange(0, ROWS)
    every = tl.arange(0, PARTS)
    known = (index < slices)[:, None] & (every < count)[None, :]
    part = tl.load(parts + index.to(tl.int64)[:, None] * PARTS + every[None, :], mask=known, other=0.0)
    factor = _factor(_together(part, MODE), _number(p, ACC), _number(limit, ACC), MODE)[:, None]
    first = tl.program_id(1).to(INDEX) * chunk
    last = tl.minimum(first + chunk, n)
    start_of, out_start_of = (index.to(tl.int64) * step)[:, None], (index.to(tl.int64) * out_step)[:, None]
    for start in range(first, last, COLS):
        col = start + tl.arange(0, COLS)
        ok = (index < slices)[:, None] & (col < last)[None, :]
        at = start_of + _offset(col, n1, n2, n3, x0, x1, x2, x3)[None, :]
        value = tl.load(x + at, mask=ok, other=0).to(ACC) * factor
        at = out_start_of + _offset(col, n1, n2, n3, y0, y1, y2, y3)[None, :]
        tl.store(y + at, value.to(y.dtype.element_ty), mask=ok)


def renorm(self: torch.Tensor, p: float, dim: int, maxnorm: float) -> torch.Tensor:
    """Slices along `dim` scaled down to a p-norm of maxnorm where theirs is larger."""
    _check(self, p, dim, maxnorm)
    out = torch.empty_like(self)
    if not self.numel():
        return out
    dim %= self.dim()
    others = _merged(self, out, dim)
    if len(others) > 4:
        return renorm(self.contiguous(), p, dim, maxnorm)
    _launch(self, out, float(p), float(maxnorm), dim, others)
    return out


def _check(tensor: torch.Tensor, p: float, dim: int, maxnorm: float) -> None:
    """Refuse what ATen refuses."""
    if not tensor.dtype.is_floating_point:
        raise RuntimeError(f"renorm has no norm of type {tensor.dtype}")
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if tensor.dim() < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {tensor.dim()}")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if not -tensor.dim() <= dim < tensor.dim():
        raise IndexError(f"renorm: no dimension {dim} in a tensor of rank {tensor.dim()}")


def _merged(x: torch.Tensor, y: torch.Tensor, dim: int) -> list[tuple[int, int, int]]:
    """Size and strides of the other dimensions, slowest first; neighbours merged where both allow it."""
    merged: list[tuple[int, int, int]] = []
    for d in sorted(range(x.dim()), key=x.stride, reverse=True):
        size, step, out_step = x.shape[d], x.stride(d), y.stride(d)
        if d == dim or size == 1:
            continue
        if merged and merged[-1][1:] == (step * size, out_step * size):
            merged[-1] = (merged[-1][0] * size, step, out_step)
        else:
            merged.append((size, step, out_step))
    return merged


def _launch(
    x: torch.Tensor, y: torch.Tensor, p: float, maxnorm: float, dim: int, others: list[tuple[int, int, int]]
) -> None:
    slices, step, out_step = x.shape[dim], x.stride(dim), y.stride(dim)
    n = x.numel() // slices
    ROWS, COLS = _tile(slices, n, side_by_side=0 < step < min([s for _, s, _ in others if s], default=1))
    sizes, x_steps, y_steps = zip(*[(1, 0, 0)] * (4 - len(others)), *others, strict=True)
    wide = x.dtype is torch.float64
    options = {
        "INDEX": tl.int32 if x.numel() < 2**30 else tl.int64,
        "ROWS": ROWS,
        "COLS": COLS,
        "ACC": tl.float64 if wide else tl.float32,
        "MODE": {1.0: 1, 2.0: 2, math.inf: 3}.get(p, 4),
    }
    power, limit = _encoded(p, wide), _encoded(maxnorm, wide)
    blocks = triton.cdiv(slices, ROWS)
    if n <= COLS:
        _whole_slices[(blocks,)](
            x, y, power, limit, slices, n, step, out_step, *sizes[1:], *x_steps, *y_steps, **options
        )
        return
    chunk = _chunk(n, COLS, blocks)
    count = triton.cdiv(n, chunk)
    options["PARTS"] = triton.next_power_of_2(count)
    parts = torch.empty(
        (slices, options["PARTS"]), dtype=torch.float64 if wide else torch.float32, device=x.device
    )
    _parts_of_slices[(blocks, count)](
        x, parts, power, slices, n, chunk, step, *sizes[1:], *x_steps, **options
    )
    _scaled_slices[(blocks, count)](
        x, y, parts, power, limit, slices, n, chunk, count, step, out_step, *sizes[1:], *x_steps, *y_steps,
        **options,
    )  # fmt: skip


def _encoded(number: float, wide: bool) -> float:
    """A number as `_number` expects it."""
    return struct.unpack("<q", struct.pack("<d", number))[0] if wide else number


def _tile(slices: int, n: int, side_by_side: bool) -> tuple[int, int]:
    """Rows and columns of a tile; `side_by_side` when slices are neighbours in memory."""
    fits = triton.next_power_of_2(n)
    if side_by_side:
        height = min(64, triton.next_power_of_2(slices))
        return height, fits if fits * height <= IN_REGISTERS else TILE // height
    if fits > IN_REGISTERS:
        return 1, TILE
    return max(1, min(TILE // fits, triton.next_power_of_2(slices))), fits


def _chunk(n: int, COLS: int, blocks: int) -> int:
    """Columns for one program: a whole slice unless there are too few slices to keep the chip busy."""
    parts = min(MAX_PARTS, triton.cdiv(BUSY, blocks), triton.cdiv(n, 4 * COLS))
    return triton.cdiv(triton.cdiv(n, parts), COLS) * COLS
