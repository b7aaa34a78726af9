"""aten::erfc: one minus the error function of every element, for any strides; integers give floats.

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
def _erfc_of(x):
    """exp(-x * x) * scaled(x) for positive x, 2 - erfc(-x) for negative ones, 1 - erf(x) up to a half."""
    size = tl.minimum(tl.abs(x), 30.0)
    value = _gauss(size) * _scaled(size)
    value = tl.where(x < 0, 2 - value, value)
    near = tl.where(size < 0.5, x, 0)
    value = tl.where(size < 0.5, 1 - near * _series(near * near), value)
    return tl.where(x != x, x, value)


@triton.jit
def _series(z):
    """erf(x) / x with z = x * x up to 1/4: Chebyshev fits, off by 2 ** -28 and by 2 ** -57."""
    if z.dtype == tl.float64:
        sum = _then(tl.zeros_like(z), z, 1.4725865480556744e-06)
        sum = _then(sum, z, -1.4845849259707869e-05)
        sum = _then(sum, z, 0.00012053335124353741)
        sum = _then(sum, z, -0.0008548297753674966)
        sum = _then(sum, z, 0.00522397737302147)
        sum = _then(sum, z, -0.026866170632887928)
        sum = _then(sum, z, 0.11283791670925353)
        sum = _then(sum, z, -0.37612638903183476)
        sum = _then(sum, z, 1.1283791670955126)
    else:
        sum = _then(tl.zeros_like(z), z, 0.004719082731753588)
        sum = _then(sum, z, -0.026757732033729553)
        sum = _then(sum, z, 0.1128283143043518)
        sum = _then(sum, z, -0.37612608075141907)
        sum = _then(sum, z, 1.1283791065216064)
    return sum


@triton.jit
def _scaled(x):
    """exp(x * x) * erfc(x) for x >= 0: a polynomial in t = (x - 3) / (x + 3), over 1 + 2 * x.

    Chebyshev fits of (1 + 2 * x) * exp(x * x) * erfc(x) on t from -1 to 1, off by 2 ** -28 and by 2 ** -57.
    """
    t = _over(x - 3, x + 3)
    if x.dtype == tl.float64:
        sum = _then(tl.zeros_like(t), t, -2.5208846559132343e-11)
        sum = _then(sum, t, 8.373239801913565e-10)
        sum = _then(sum, t, 1.1435382719942424e-09)
        sum = _then(sum, t, -8.205287217548862e-09)
        sum = _then(sum, t, -1.3744637271614611e-08)
        sum = _then(sum, t, 4.1031674722876435e-08)
        sum = _then(sum, t, 1.0252159854733823e-07)
        sum = _then(sum, t, -1.4042772727671948e-07)
        sum = _then(sum, t, -6.172971639709339e-07)
        sum = _then(sum, t, 3.5571413343395913e-07)
        sum = _then(sum, t, 3.4728430145951554e-06)
        sum = _then(sum, t, -7.307985940695724e-07)
        sum = _then(sum, t, -2.010075903780886e-05)
        sum = _then(sum, t, 4.949184182276066e-06)
        sum = _then(sum, t, 0.00012509940933306624)
        sum = _then(sum, t, -0.00010515971612176149)
        sum = _then(sum, t, -0.0007798322831260387)
        sum = _then(sum, t, 0.0018886903443894542)
        sum = _then(sum, t, 0.0025293918173706497)
        sum = _then(sum, t, -0.023770514917107986)
        sum = _then(sum, t, 0.06830802734389313)
        sum = _then(sum, t, -0.11927366341538978)
        sum = _then(sum, t, 0.12964515870276316)
        sum = _then(sum, t, -0.04756229435344912)
        sum = _then(sum, t, -0.1356211061245812)
        sum = _then(sum, t, 1.2530080582697296)
    else:
        sum = _then(tl.zeros_like(t), t, 3.891751475748606e-06)
        sum = _then(sum, t, 7.720413850620389e-05)
        sum = _then(sum, t, -0.0001042211806634441)
        sum = _then(sum, t, -0.0007261608261615038)
        sum = _then(sum, t, 0.0018882156582549214)
        sum = _then(sum, t, 0.002498822519555688)
        sum = _then(sum, t, -0.023770388215780258)
        sum = _then(sum, t, 0.06831669807434082)
        sum = _then(sum, t, -0.11927367746829987)
        sum = _then(sum, t, 0.12964409589767456)
        sum = _then(sum, t, -0.04756229370832443)
        sum = _then(sum, t, -0.1356210708618164)
        sum = _then(sum, t, 1.2530080080032349)
    return _over(sum, 1 + 2 * x)


@triton.jit
def _over(a, b):
    """The quotient, rounded correctly: on float32 a bare `/` may be an approximation."""
    return tl.div_rn(a, b) if a.dtype == tl.float32 else a / b


@triton.jit
def _gauss(x):
    """exp(-x * x), with the square carried in two parts: its rounding alone would cost dozens of ulps."""
    if x.dtype == tl.float64:
        high = (x.to(tl.int64, bitcast=True) & -(2**32)).to(tl.float64, bitcast=True)
        value = tl.exp(-high * high) * tl.exp((high - x) * (high + x))
    else:
        high = (x.to(tl.int32, bitcast=True) & -4096).to(tl.float32, bitcast=True)
        value = _exp(-high * high, (high - x) * (high + x))
    return value


@triton.jit
def _exp(high, low):
    """exp(high + low) in float32 for a negative high and a small low, right to about an ulp.

    The argument less n * log(2), a polynomial of degree 6 (a Chebyshev fit of exp on +-0.35, off by 2 ** -28;
    0.693359375 has ten bits, so n times it is exact), and 2 ** n in two factors: one can't hold every n.
    """
    high = tl.maximum(high, -150.0)
    n = tl.floor((high + low) * 1.4426950408889634 + 0.5)
    rest = (high - n * 0.693359375) + (n * 2.12194440e-4 + low)
    power = _then(tl.zeros_like(rest), rest, 0.0013942148070782423)
    power = _then(power, rest, 0.008375958539545536)
    power = _then(power, rest, 0.041666340082883835)
    power = _then(power, rest, 0.16666404902935028)
    power = _then(power, rest, 0.5)
    power = _then(power, rest, 1.0)
    power = _then(power, rest, 1.0)
    half = n.to(tl.int32) >> 1
    first = ((half + 127) << 23).to(tl.float32, bitcast=True)
    second = ((n.to(tl.int32) - half + 127) << 23).to(tl.float32, bitcast=True)
    return power * first * second


@triton.jit
def _erfc(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write one minus the error function of x."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside).to(compute)
    value = _erfc_of(value)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def erfc(self: torch.Tensor) -> torch.Tensor:
    """One minus the error function of every element."""
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
    _erfc[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
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
