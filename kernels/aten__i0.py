"""aten::i0: the modified Bessel function of order zero, for any strides; integers give floats.

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
def _i0_of(x):
    """Up to 8 a polynomial in (x / 2) ** 2, all terms positive; then exp(x) / sqrt(x) times one in 1 / x."""
    size = tl.abs(x)
    large = size > 8
    near = tl.minimum(size, 8.0) * 0.5
    far = tl.where(large, size, 8.0)
    value = tl.where(large, _grown(far), _series(near * near))
    return tl.where(x != x, x, value)


@triton.jit
def _series(z):
    """I0(x) with z = (x / 2) ** 2 up to 16: Chebyshev fits, off by 2 ** -31 and by 2 ** -60."""
    if z.dtype == tl.float64:
        sum = _then(tl.zeros_like(z), z, 3.6454386812677436e-27)
        sum = _then(sum, z, 4.940670282542572e-25)
        sum = _then(sum, z, 1.35095827969477e-22)
        sum = _then(sum, z, 2.5698743857514957e-20)
        sum = _then(sum, z, 4.3600362269175774e-18)
        sum = _then(sum, z, 6.275862820937522e-16)
        sum = _then(sum, z, 7.594079950279469e-14)
        sum = _then(sum, z, 7.594056846699174e-12)
        sum = _then(sum, z, 6.151187413177668e-10)
        sum = _then(sum, z, 3.936759885673581e-08)
        sum = _then(sum, z, 1.9290123457790406e-06)
        sum = _then(sum, z, 6.944444444424399e-05)
        sum = _then(sum, z, 0.0017361111111113758)
        sum = _then(sum, z, 0.027777777777777565)
        sum = _then(sum, z, 0.2500000000000001)
        sum = _then(sum, z, 1.0)
        sum = _then(sum, z, 1.0)
    else:
        sum = _then(tl.zeros_like(z), z, 1.2115991041261034e-15)
        sum = _then(sum, z, 4.887155133706522e-14)
        sum = _then(sum, z, 8.279219324003328e-12)
        sum = _then(sum, z, 6.043361366891986e-10)
        sum = _then(sum, z, 3.947857152297729e-08)
        sum = _then(sum, z, 1.928254960148479e-06)
        sum = _then(sum, z, 6.94478367222473e-05)
        sum = _then(sum, z, 0.0017361014615744352)
        sum = _then(sum, z, 0.027777792885899544)
        sum = _then(sum, z, 0.2499999850988388)
        sum = _then(sum, z, 1.0)
        sum = _then(sum, z, 1.0)
    return sum


@triton.jit
def _asymptotic(u):
    """I0(x) * exp(-x) * sqrt(x) with u = 16 / x - 1 from -1 to 1.

    Chebyshev fits, off by 2 ** -29 and by 2 ** -57.
    """
    if u.dtype == tl.float64:
        sum = _then(tl.zeros_like(u), u, -7.06893851181878e-11)
        sum = _then(sum, u, -1.9216763724933513e-11)
        sum = _then(sum, u, 5.181936971288284e-10)
        sum = _then(sum, u, 1.4672236659214398e-10)
        sum = _then(sum, u, -1.7789375042917173e-09)
        sum = _then(sum, u, -5.562201990080394e-10)
        sum = _then(sum, u, 3.881151253996067e-09)
        sum = _then(sum, u, 1.497880830187091e-09)
        sum = _then(sum, u, -6.188265090497361e-09)
        sum = _then(sum, u, -3.4857887470034955e-09)
        sum = _then(sum, u, 7.58022133915272e-09)
        sum = _then(sum, u, 7.540601378890834e-09)
        sum = _then(sum, u, -5.4685974495866e-09)
        sum = _then(sum, u, -1.3404241991980871e-08)
        sum = _then(sum, u, -6.729724111923548e-09)
        sum = _then(sum, u, 7.553516470355896e-09)
        sum = _then(sum, u, 2.1545177650836005e-08)
        sum = _then(sum, u, 3.932602459703109e-08)
        sum = _then(sum, u, 8.87225351128584e-08)
        sum = _then(sum, u, 2.973598432479169e-07)
        sum = _then(sum, u, 1.4838475473607391e-06)
        sum = _then(sum, u, 1.1143033791556743e-05)
        sum = _then(sum, u, 0.00013621607439232746)
        sum = _then(sum, u, 0.003360551983667854)
        sum = _then(sum, u, 0.4021765094450081)
    else:
        sum = _then(tl.zeros_like(u), u, 1.0829898400288585e-07)
        sum = _then(sum, u, 3.6317103990768373e-07)
        sum = _then(sum, u, 1.47679213569063e-06)
        sum = _then(sum, u, 1.111152505473001e-05)
        sum = _then(sum, u, 0.000136216840473935)
        sum = _then(sum, u, 0.0033605557400733232)
        sum = _then(sum, u, 0.40217649936676025)
    return sum


@triton.jit
def _grown(x):
    """exp(x) / sqrt(x) * asymptotic, for x >= 8. It overflows later than exp, which is split in two."""
    scale = _asymptotic(16.0 / x - 1)
    if x.dtype == tl.float64:
        root = tl.exp(x * 0.5)
        value = (root * (scale / tl.sqrt(x))) * root
    else:
        value = _exp(x, tl.div_rn(scale, tl.sqrt_rn(x)))
    return value


@triton.jit
def _exp(x, scale):
    """exp(x) * scale in float32 for x >= 0, right to about an ulp up to where the product overflows.

    The argument less n * log(2), a polynomial of degree 6 (a Chebyshev fit of exp on +-0.35, off by 2 ** -28;
    0.693359375 has ten bits, so n times it is exact), and 2 ** n in two factors: one can't hold every n.
    """
    near = tl.minimum(x, 110.0)
    n = tl.floor(near * 1.4426950408889634 + 0.5)
    rest = (near - n * 0.693359375) + n * 2.12194440e-4
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
    return power * scale * first * second


@triton.jit
def _i0(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    compute: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write the modified Bessel function of order zero of x."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = tl.load(x + at, mask=inside).to(compute)
    value = _i0_of(value)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def i0(self: torch.Tensor) -> torch.Tensor:
    """Modified Bessel function of the first kind, order zero, of every element."""
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
    _i0[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
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
