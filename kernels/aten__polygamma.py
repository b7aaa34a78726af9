"""aten::polygamma: derivative n of the digamma function, for any strides; integers give floats.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Half precision is computed in float32 and rounded once.
"""

import math

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
def _inverse(x):
    one = tl.zeros_like(x) + 1
    return tl.div_rn(one, x) if x.dtype == tl.float32 else one / x


@triton.jit
def _digamma(x):
    """The digamma function: psi(x) = psi(x + 1) - 1 / x, and from 6 (in float64 10) on its asymptotic series.

    Below zero it is psi(1 - x) - pi / tan(pi * x), the tangent of what the nearest whole number leaves of x.
    """
    negative = x < 0
    rest = x - tl.floor(x + 0.5)
    angle = rest * tl.full([1, 1], 3.141592653589793, x.dtype)
    cotangent = tl.cos(angle) * _inverse(tl.where(rest == 0, 1, tl.sin(angle)))
    reflected = tl.where(negative, tl.full([1, 1], 3.141592653589793, x.dtype) * cotangent, 0)
    y = tl.where(negative, 1 - x, x)
    START: tl.constexpr = 10 if x.dtype == tl.float64 else 6
    sum = tl.zeros_like(x)
    for _ in tl.static_range(START):
        small = y < START
        sum += tl.where(small, _inverse(y), 0)
        y = tl.where(small, y + 1, y)
    inverse = _inverse(y)
    value = tl.log(y) - 0.5 * inverse - _digamma_series(inverse * inverse)
    value = (value - sum) - reflected
    value = tl.where(y == float("inf"), y, value)
    value = tl.where(negative & ((rest == 0) | (x == -float("inf"))), float("nan"), value)
    return tl.where(x == 0, -_inverse(x), value)


@triton.jit
def _digamma_series(z):
    """The sum of B(2k) / 2k * z ** k, B the Bernoulli numbers: z / 12 - z * z / 120 + ..."""
    if z.dtype == tl.float64:
        sum = _then(tl.zeros_like(z), z, 0.08333333333333333)
        sum = _then(sum, z, -0.021092796092796094)
        sum = _then(sum, z, 0.007575757575757576)
        sum = _then(sum, z, -0.004166666666666667)
    else:
        sum = _then(tl.zeros_like(z), z, -0.004166666666666667)
    sum = _then(sum, z, 0.003968253968253968)
    sum = _then(sum, z, -0.008333333333333333)
    sum = _then(sum, z, 0.08333333333333333)
    return sum * z


@triton.jit
def _term(x, ORDER: tl.constexpr, FACTORIAL: tl.constexpr):
    """One term of the series, n! / x ** (n + 1)."""
    power = x * tl.full([1, 1], 1.0 / FACTORIAL, x.dtype)
    for _ in range(ORDER):
        power = power * x
    return _inverse(power)


@triton.jit
def _zeta(x, ORDER: tl.constexpr, FACTORIAL: tl.constexpr):
    """The sum of n! / (x + k) ** (n + 1) over all k >= 0, for x >= 0: n! times Hurwitz's zeta function.

    The first terms are added up, the rest is Euler's and Maclaurin's formula, Bernoulli numbers and all, as a
    nested product: 12, 60, 42, 40, ... are the ratios of B(2k) / (2k)! to the next.
    """
    COUNT: tl.constexpr = 14 + ORDER if x.dtype == tl.float64 else 7 + ORDER // 2
    sum = tl.zeros_like(x)
    y = x
    for _ in range(COUNT):
        sum += _term(y, ORDER, FACTORIAL)
        y += 1
    inverse = _inverse(y)
    z = inverse * inverse
    rest = 1 - _ratio(z, (ORDER + 10) * (ORDER + 11), 1307674368000.0 / 691.0 / 47900160.0)
    rest = 1 - rest * _ratio(z, (ORDER + 8) * (ORDER + 9), 39.6)
    rest = 1 - rest * _ratio(z, (ORDER + 6) * (ORDER + 7), 40.0)
    rest = 1 - rest * _ratio(z, (ORDER + 4) * (ORDER + 5), 42.0)
    rest = 1 - rest * _ratio(z, (ORDER + 2) * (ORDER + 3), 60.0)
    rest = 0.5 + rest * inverse * _ratio(tl.zeros_like(z) + 1, ORDER + 1, 12.0)
    tail = _term(y, ORDER, FACTORIAL) * (y * _ratio(tl.zeros_like(z) + 1, 1, ORDER) + rest)
    return sum + tl.where(y == float("inf"), 0, tail)


@triton.jit
def _ratio(z, numerator: tl.constexpr, denominator: tl.constexpr):
    """A constant times z. A bare float64 literal would pass through float32 in Triton before 3.2."""
    return z * tl.full([1, 1], numerator / denominator, z.dtype)


@triton.jit
def _derivative(x, ORDER: tl.constexpr, FACTORIAL: tl.constexpr):
    """Derivative number n >= 1: (-1) ** (n + 1) * n! * zeta(n + 1, x); a pole is infinite, as in ATen.

    Below zero the terms up to the first positive one, g = x - floor(x), are those of a zeta function at the
    other end, f = 1 - g, turned over: zeta(x) = zeta(g) + (-1) ** (n + 1) * (zeta(f) - zeta(1 - x)).
    """
    negative = (x < 0) & (x > -float("inf"))
    above = tl.where(negative, x - tl.floor(x), x)
    value = _zeta(above, ORDER, FACTORIAL)
    if tl.max(negative.to(tl.int32)) > 0:
        below = tl.where(negative, -x - tl.floor(-x), 1)
        rest = _zeta(below, ORDER, FACTORIAL) - _zeta(tl.where(negative, 1 - x, 1), ORDER, FACTORIAL)
        value = tl.where(negative, value + rest if ORDER % 2 == 1 else value - rest, value)
    value = tl.where((x <= 0) & (x == tl.floor(x)), float("inf"), value)
    return value if ORDER % 2 == 1 else -value


@triton.jit
def _polygamma(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, ORDER: tl.constexpr, FACTORIAL: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write derivative number ORDER of the digamma function at x."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside, other=1).to(compute)
    value = _digamma(value) if ORDER == 0 else _derivative(value, ORDER, FACTORIAL)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def polygamma(n: int, self: torch.Tensor) -> torch.Tensor:
    """Derivative number n of the digamma function of every element; the function itself for 0."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    dtype = self.dtype if self.dtype.is_floating_point else torch.get_default_dtype()
    out = torch.empty_like(self, dtype=dtype)
    if out.numel():
        _launch(out, self, n)
    return out


def _launch(out: torch.Tensor, x: torch.Tensor, n: int) -> None:
    *outer, (columns, o_step, x_step) = _merged(out, x)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], x[i], n)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, (o_step, x_step))
    sizes, o_strides, x_strides = zip(*outer, *[(1, 0, 0)] * (4 - len(outer)), strict=True)
    _polygamma[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, x, rows, columns, *sizes[1:], *o_strides, o_step, *x_strides, x_step,
        compute=tl.float64 if out.dtype is torch.float64 else tl.float32,
        ORDER=n, FACTORIAL=float(math.factorial(n)) if n <= 170 else math.inf,
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
        return 1, min(1024, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(1024 // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
