"""aten::asin: the arc sine of every element, for any strides; integers give floats.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Half precision is computed in float32 and rounded once.
"""

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
def _then(sum, x, coefficient: tl.constexpr):
    """One step of Horner's rule. A bare float64 literal would pass through float32 in Triton before 3.2."""
    return sum * x + tl.full([1, 1], coefficient, x.dtype)


@triton.jit
def _asin_of(x):
    """Up to a half a polynomial; beyond it asin(x) = pi / 2 - 2 * asin(sqrt((1 - x) / 2))."""
    size = tl.abs(x)
    large = size > 0.5
    square = tl.where(large, (1 - size) * 0.5, size * size)
    small = tl.where(large, _root(square), size)
    small += small * square * _series(square)
    value = tl.where(large, _right_angle_less(2 * small), small)
    return tl.where(x < 0, -value, value)


@triton.jit
def _right_angle_less(x):
    """A right angle less x, pi / 2 as a sum of two: its rounding alone would cost most of an ulp."""
    if x.dtype == tl.float64:
        high = tl.full([1, 1], 1.5707963267948966, tl.float64)
        low = tl.full([1, 1], 6.123233995736766e-17, tl.float64)
    else:
        high = tl.full([1, 1], 1.5707963705062866, tl.float32)
        low = tl.full([1, 1], -4.371139000186241e-08, tl.float32)
    return high - (x - low)


@triton.jit
def _series(z):
    """(asin(s) / s - 1) / z with z = s * s up to 1/4: Chebyshev fits, off by 2 ** -29 and by 2 ** -57."""
    if z.dtype == tl.float64:
        sum = _then(tl.zeros_like(z), z, 0.02961201126495512)
        sum = _then(sum, z, -0.01924167174674304)
        sum = _then(sum, z, 0.019554513336123378)
        sum = _then(sum, z, 0.0030448799094556773)
        sum = _then(sum, z, 0.009319560794767446)
        sum = _then(sum, z, 0.009621842970100282)
        sum = _then(sum, z, 0.011566459612121669)
        sum = _then(sum, z, 0.01396378001220357)
        sum = _then(sum, z, 0.017352816540325496)
        sum = _then(sum, z, 0.02237215744350722)
        sum = _then(sum, z, 0.03038194447553234)
        sum = _then(sum, z, 0.044642857142551895)
        sum = _then(sum, z, 0.07500000000000118)
        sum = _then(sum, z, 0.16666666666666666)
    else:
        sum = _then(tl.zeros_like(z), z, 0.03097454085946083)
        sum = _then(sum, z, 0.01057441532611847)
        sum = _then(sum, z, 0.02361181750893593)
        sum = _then(sum, z, 0.030269138514995575)
        sum = _then(sum, z, 0.044647663831710815)
        sum = _then(sum, z, 0.07499992102384567)
        sum = _then(sum, z, 0.1666666716337204)
    return sum


@triton.jit
def _root(x):
    return tl.sqrt_rn(x) if x.dtype == tl.float32 else tl.sqrt(x)


@triton.jit
def _asin(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the arc sine of x."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside).to(compute)
    value = _asin_of(value)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def asin(self: torch.Tensor) -> torch.Tensor:
    """Arc sine of every element, in radians; NaN beyond one."""
    dtype = self.dtype if self.dtype.is_floating_point else torch.get_default_dtype()
    out = torch.empty_like(self, dtype=dtype)
    if out.numel():
        _launch(out, self)
    return out


def _launch(out: torch.Tensor, x: torch.Tensor) -> None:
    *outer, (columns, o_step, x_step) = _merged(out, x)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], x[i])
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, (o_step, x_step))
    sizes, o_strides, x_strides = zip(*outer, *[(1, 0, 0)] * (4 - len(outer)), strict=True)
    _asin[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, x, rows, columns, *sizes[1:], *o_strides, o_step, *x_strides, x_step,
        compute=tl.float64 if out.dtype is torch.float64 else tl.float32,
        INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


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
