"""aten::acosh: the inverse hyperbolic cosine of every element, for any strides; integers give floats.

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
def _acosh_of(x):
    """log(x + sqrt(x * x - 1)) as log(1 + v), where v is written in x - 1 so that nothing cancels near one.

    For small v that is 2 * atanh(s) with s = v / (2 + v), a polynomial: rounding 1 + v for a
    logarithm costs the more, the smaller v is. Where the square would overflow, x + sqrt(x * x - 1) is 2 * x.
    """
    u = x - 1
    v = u + _root(u * (x + 1))
    near = v < 1
    s = tl.where(near, _over(v, 2 + v), 0)
    z = s * s
    large = x > 1e9
    far = tl.log(tl.where(large, x, 1 + v)) + tl.where(large, tl.full([1, 1], 0.6931471805599453, x.dtype), 0)
    value = tl.where(near, 2 * s + s * z * _series(z), far)
    return tl.where(x < 1, float("nan"), value)


@triton.jit
def _series(z):
    """(2 * atanh(s) / s - 2) / z with z = s * s up to 1/9: Chebyshev fits, off by 2 ** -26 and 2 ** -55."""
    if z.dtype == tl.float64:
        sum = _then(tl.zeros_like(z), z, 0.1563057780092285)
        sum = _then(sum, z, 0.07492143795550767)
        sum = _then(sum, z, 0.10845178394880015)
        sum = _then(sum, z, 0.11734279061303197)
        sum = _then(sum, z, 0.13335178631449257)
        sum = _then(sum, z, 0.1538454396486055)
        sum = _then(sum, z, 0.18181819897962714)
        sum = _then(sum, z, 0.2222222219823677)
        sum = _then(sum, z, 0.285714285716001)
        sum = _then(sum, z, 0.39999999999999525)
        sum = _then(sum, z, 0.6666666666666666)
    else:
        sum = _then(tl.zeros_like(z), z, 0.23224329948425293)
        sum = _then(sum, z, 0.2170657515525818)
        sum = _then(sum, z, 0.285923570394516)
        sum = _then(sum, z, 0.3999970555305481)
        sum = _then(sum, z, 0.6666666865348816)
    return sum


@triton.jit
def _root(x):
    return tl.sqrt_rn(x) if x.dtype == tl.float32 else tl.sqrt(x)


@triton.jit
def _over(a, b):
    """The quotient, rounded correctly: on float32 a bare `/` may be an approximation."""
    return tl.div_rn(a, b) if a.dtype == tl.float32 else a / b


@triton.jit
def _acosh(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the inverse hyperbolic cosine of x."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside).to(compute)
    value = _acosh_of(value)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def acosh(self: torch.Tensor) -> torch.Tensor:
    """Inverse hyperbolic cosine of every element; NaN below one."""
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
    _acosh[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
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
