"""aten::logit: log(x / (1 - x)) of every element, clamped by eps, for any strides; integers give floats.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Half precision is computed in float32 and rounded once.
"""

import struct

import torch
import triton
import triton.language as tl


@triton.jit
def _place(row, column, n1, n2, n3, s0, s1, s2, s3, step):
    """Memory offsets of a tile; rows count through four dimensions of strides s0 to s3, the last fastest."""
    offset = (row % n3).to(tl.int64) * s3
    row = row // n3
    offset += (row % n2).to(tl.int64) * s2
    row = row // n2
    offset += (row % n1).to(tl.int64) * s1
    offset += (row // n1).to(tl.int64) * s0
    return offset[:, None] + (column.to(tl.int64) * step)[None, :]


@triton.jit
def _number(number, compute: tl.constexpr):
    """A number of the host. A kernel takes no float64: one comes as the bits of an int64."""
    if compute == tl.float64:
        value = tl.full([1, 1], number, tl.int64).to(tl.float64, bitcast=True)
    elif compute == tl.float32:
        value = tl.full([1, 1], number, tl.float32)
    else:
        value = tl.full([1, 1], number, tl.int64).to(compute)
    return value


@triton.jit
def _logit_of(x):
    """log(x / (1 - x)); near a half, where the quotient's rounding is all error, log(1 + u) of an exact u.

    log(w) of w = 1 + u is corrected for what rounding w lost: log(1 + u) is u * log(w) / (w - 1) (Kahan).
    """
    middle = (x > 0.25) & (x < 0.75)
    rest = 1 - x
    u = (x - rest) / tl.where(middle, rest, 1)
    w = tl.where(middle, 1 + u, x / rest)
    lost = middle & (w != 1)
    value = tl.log(w) * tl.where(lost, u / tl.where(lost, w - 1, 1), 1)
    return tl.where(middle & (w == 1), u, value)


@triton.jit
def _clamped(x, low, high):
    """Written as comparisons: NaN meets none and stays."""
    return tl.where(x < low, low, tl.where(x > high, high, x))


@triton.jit(do_not_specialize=["low", "high"])
def _logit(
    out, x, low, high, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, CLAMP: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the log odds of x, which is first clamped to the range from low to high where CLAMP."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside).to(compute)
    if CLAMP:
        value = _clamped(value, _number(low, compute), _number(high, compute))
    value = _logit_of(value)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def logit(self: torch.Tensor, eps: float | None = None) -> torch.Tensor:
    """Log odds of every element; with `eps` each is first brought into the range from eps to 1 - eps."""
    dtype = self.dtype if self.dtype.is_floating_point else torch.get_default_dtype()
    out = torch.empty_like(self, dtype=dtype)
    if out.numel():
        _launch(out, self, eps)
    return out


def _launch(out: torch.Tensor, x: torch.Tensor, eps: float | None) -> None:
    *outer, (columns, o_step, x_step) = _merged(out, x)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], x[i], eps)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, (o_step, x_step))
    low, high = (_encoded(limit, out.dtype) for limit in (eps or 0.0, 1.0 - (eps or 0.0)))
    sizes, o_strides, x_strides = zip(*outer, *[(1, 0, 0)] * (4 - len(outer)), strict=True)
    _logit[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, x, low, high, rows, columns, *sizes[1:], *o_strides, o_step, *x_strides, x_step,
        compute=tl.float64 if out.dtype is torch.float64 else tl.float32, CLAMP=eps is not None,
        INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _encoded(number: float, dtype: torch.dtype) -> float:
    """A number as `_number` expects it."""
    return struct.unpack("<q", struct.pack("<d", number))[0] if dtype is torch.float64 else float(number)


def _merged(out: torch.Tensor, x: torch.Tensor) -> list[tuple[int, int, int]]:
    """Sizes and both strides, the output's slowest dimension first; two become one where both allow it."""
    merged = [(1, 0, 0)]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        size, out_stride, x_stride = merged[-1]
        n, fine = out.shape[d], (out.stride(d), x.stride(d))
        if size == 1 or (out_stride, x_stride) == (n * fine[0], n * fine[1]):
            merged[-1] = (size * n, *fine)
        elif n != 1:
            merged.append((n, *fine))
    return merged


def _tile(rows: int, columns: int, steps: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of a tile: squarer where the columns of a tensor are not adjacent but rows may be."""
    if rows == 1:
        return 1, min(2048, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(2048 // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
