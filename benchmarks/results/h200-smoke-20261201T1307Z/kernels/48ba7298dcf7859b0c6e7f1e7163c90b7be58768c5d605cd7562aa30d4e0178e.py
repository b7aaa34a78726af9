"""aten::pow: self ** exponent, with ATen's broadcasting and type promotion, for any strides.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.

Integers are multiplied. The logarithm of a float32 is carried in twice its precision, or large powers would
lose seven bits; half precision can do without, and float64 loses the few bits that its exponent takes.
"""

import struct

import torch
import triton
import triton.language as tl


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
def _shortcut(x, EXPONENT: tl.constexpr, compute: tl.constexpr):
    """The powers that are cheap and better without a logarithm; roots as ATen has them: of -inf, NaN."""
    if EXPONENT == 2:
        power = x * x
    elif EXPONENT == 3:
        power = x * x * x
    elif EXPONENT == -1:
        power = _inverse(x, compute)
    elif EXPONENT == -2:
        power = _inverse(x, compute)
        power = power * power  # not 1 / (x * x), which overflows too early
    elif compute == tl.float32:
        power = tl.sqrt_rn(x)
    else:
        power = tl.sqrt(x)
    if EXPONENT == -0.5:
        power = _inverse(power, compute)
    return power


@triton.jit
def _inverse(x, compute: tl.constexpr):
    one = tl.zeros_like(x) + 1.0
    return tl.div_rn(one, x) if compute == tl.float32 else one / x


@triton.jit
def _whole_power(x, y, compute: tl.constexpr):
    """Integers by repeated squaring, wrapping as ATen does; a negative exponent leaves only 1 and -1."""
    x, y = tl.broadcast(x, y)
    power = (tl.zeros_like(x) + 1).to(compute)
    base = x
    exponent = y
    while tl.max(exponent) > 0:
        power = tl.where((exponent & 1) != 0, power * base, power).to(compute)
        base = (base * base).to(compute)
        exponent = (exponent >> 1).to(compute)
    sign = tl.where((y & 1) != 0, x, 1)
    inverse = tl.where((x == 1) | (x + 1 == 0), sign, 0)
    return tl.where(y < 0, inverse, power)


@triton.jit
def _real_power(x, y, compute: tl.constexpr, PRECISE: tl.constexpr):
    """C's pow: |x| ** y by logarithm, then the sign, then every special value."""
    x, y = tl.broadcast(x, y)
    size = tl.abs(x)
    if compute == tl.float64:
        negative = x.to(tl.int64, bitcast=True) < 0  # true of -0.0 too
        power = tl.exp2(y * tl.log2(size))
    else:
        negative = x.to(tl.int32, bitcast=True) < 0
        if PRECISE:
            power = _precise_power(size, y)
        else:
            exponent, mantissa = _split(size)
            power = tl.exp2(y * (exponent + tl.log2(mantissa)))
    endless = (size == 0) | (size == float("inf")) | (tl.abs(y) == float("inf"))
    limit = tl.where((size > 1) == (y > 0), float("inf"), 0.0)
    power = tl.where(endless, limit, power)
    whole = tl.floor(y) == y
    odd = whole & (tl.floor(y * 0.5) * 2 != y)
    power = tl.where(negative & odd, -power, power)
    undefined = (x < 0) & (size != float("inf")) & ~whole
    power = tl.where(undefined | (x != x) | (y != y), float("nan"), power)
    return tl.where((y == 0) | (x == 1) | ((x == -1) & (tl.abs(y) == float("inf"))), 1.0, power)


@triton.jit
def _split(x):
    """Exponent and mantissa of a positive float32, the mantissa between the roots of 1/2 and of 2."""
    denormal = x < 1.1754943508222875e-38
    bits = tl.where(denormal, x * 16777216.0, x).to(tl.int32, bitcast=True)
    exponent = (bits - 0x3F3504F3) >> 23
    mantissa = (bits - (exponent << 23)).to(tl.float32, bitcast=True)
    return tl.where(denormal, exponent - 24, exponent).to(tl.float32), mantissa


@triton.jit
def _high(x):
    """A float32 without the lower half of its mantissa: the product of two such is exact."""
    return (x.to(tl.int32, bitcast=True) & -4096).to(tl.float32, bitcast=True)


@triton.jit
def _log2(x):
    """Base-2 logarithm of a positive float32 as a sum of two, good to about 2 ** -30.

    With mantissa m and s = (m - 1) / (m + 1), |s| < 0.172: log(m) = 2 * (s + s ** 3 / 3 + s ** 5 / 5 + ...).
    The first term is computed with twice the precision, the rest is small.
    """
    exponent, mantissa = _split(x)
    f = mantissa - 1.0
    inverse = 1.0 / (mantissa + 1.0)
    s = f * inverse
    s_high = _high(s)
    f_high = _high(f)
    rest = ((f - 2.0 * s_high) - s_high * f_high) - s_high * (f - f_high)  # f - s_high * (2 + f)
    s_low = rest * inverse
    z = s * s
    series = 1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11))))
    # 2 / log(2) = 2.885390081777927, its upper 12 bits 2.8857421875
    first = 2.8857421875 * s_high
    small = 2.8857421875 * s_low - 0.000352105722073 * s + 2.885390081777927 * (s * z * series)
    total = exponent + first
    small += first - (total - exponent)
    high = total + small
    return high, small - (high - total)


@triton.jit
def _precise_power(x, y):
    """Power of a positive float32, within a few ulps: the product y * log2(x) is kept as a sum of two."""
    high, low = _log2(x)
    y_high = _high(y)
    log_high = _high(high)
    first = y_high * log_high
    small = (y - y_high) * log_high + y * ((high - log_high) + low)
    total = first + small
    small -= total - first
    rough = y * high
    beyond = tl.abs(rough) > 200  # overflow or zero; also keeps infinities out of the differences above
    total = tl.where(beyond, tl.where(rough > 0, 200.0, -200.0), total)
    small = tl.where(beyond, 0.0, small)
    whole = tl.floor(total + 0.5)
    scale = whole.to(tl.int32)
    half = scale >> 1  # 2 ** scale in two factors: alone it may be out of range
    power = tl.exp2((total - whole) + small) * ((half + 127) << 23).to(tl.float32, bitcast=True)
    return power * ((scale - half + 127) << 23).to(tl.float32, bitcast=True)


@triton.jit(do_not_specialize=["number"])
def _pow(
    out, x, y, number, rows, columns, n1, n2, n3,
    o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step, y0, y1, y2, y3, y_step,
    compute: tl.constexpr, EXPONENT: tl.constexpr, PRECISE: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write x ** y, where one of x and y may be None and is then the number; EXPONENT: a y of `_shortcut`."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    if x is None:
        base = _number(number, compute)
    else:
        at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
        base = tl.load(x + at, mask=inside, other=0).to(compute)
    if y is None:
        exponent = _number(number, compute)
    else:
        at = _place(row, column, n1, n2, n3, y0, y1, y2, y3, y_step)
        exponent = tl.load(y + at, mask=inside, other=0).to(compute)
    if EXPONENT is not None:
        power = _shortcut(base, EXPONENT, compute)
    elif compute == tl.float32 or compute == tl.float64:
        power = _real_power(base, exponent, compute, PRECISE)
    else:
        power = _whole_power(base, exponent, compute)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, power.to(out.dtype.element_ty), mask=inside)


def pow(self: torch.Tensor | float, exponent: torch.Tensor | float) -> torch.Tensor:
    """Power of self to exponent; one of them may be a number."""
    dtype = torch.result_type(self, exponent)
    number_above = not isinstance(exponent, torch.Tensor)
    if dtype is torch.bool:
        raise NotImplementedError("bools have no powers")
    if number_above and not dtype.is_floating_point and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    tensors = [x if isinstance(x, torch.Tensor) else None for x in (self, exponent)]
    number = next((x for x in (self, exponent) if not isinstance(x, torch.Tensor)), 0)
    out = _empty(tensors, dtype)
    if out.numel():
        shortcut = number if number_above and number in _shortcuts(dtype) else None
        _launch(out, tensors, _encoded(number, dtype), _compute_type(dtype), shortcut)
    return out


def _shortcuts(dtype: torch.dtype) -> tuple[float, ...]:
    return (2, 3, -1, -2, 0.5, -0.5) if dtype.is_floating_point else (2, 3)


def _empty(tensors: list[torch.Tensor | None], dtype: torch.dtype) -> torch.Tensor:
    """The output, dense, its dimensions in the order in which an input of its shape has them."""
    given = [tensor for tensor in tensors if tensor is not None]
    shape = torch.broadcast_shapes(*[tensor.shape for tensor in given])
    for tensor in given:
        if tensor.shape == shape:
            return torch.empty_like(tensor, dtype=dtype)
    return torch.empty(shape, dtype=dtype, device=given[0].device)


def _compute_type(dtype: torch.dtype) -> tl.dtype:
    """Half precision is computed in float32 and rounded once."""
    if dtype in (torch.float16, torch.bfloat16):
        return tl.float32
    return getattr(tl, str(dtype).removeprefix("torch."))


def _encoded(number: float, dtype: torch.dtype) -> float:
    """A number as `_number` expects it; integers wrap as they do in memory."""
    if dtype is torch.float64:
        return struct.unpack("<q", struct.pack("<d", number))[0]
    if dtype.is_floating_point:
        return float(number)
    return (int(number) + 2**63) % 2**64 - 2**63


def _launch(
    out: torch.Tensor,
    tensors: list[torch.Tensor | None],
    number: float,
    compute: tl.dtype,
    shortcut: float | None,
) -> None:
    tensors = [x if x is None else x.expand(out.shape) for x in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [x if x is None else x[i] for x in tensors], number, compute, shortcut)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0, 0, 0))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _pow[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, number, rows, columns, *[size for size, _ in outer[1:]], *places,
        compute=compute, EXPONENT=shortcut, PRECISE=out.dtype is torch.float32,
        INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _merged(out: torch.Tensor, *tensors: torch.Tensor | None) -> list[tuple[int, tuple[int, ...]]]:
    """Sizes and strides, the output's slowest dimension first; two become one where all tensors allow it."""
    merged = [(1, (0,) * (1 + len(tensors)))]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        strides = (out.stride(d), *[0 if x is None else x.stride(d) for x in tensors])
        size, coarse = merged[-1]
        if size == 1 or coarse == tuple(out.shape[d] * stride for stride in strides):
            merged[-1] = (size * out.shape[d], strides)
        elif out.shape[d] != 1:
            merged.append((out.shape[d], strides))
    return merged


def _tile(rows: int, columns: int, steps: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of a tile: squarer where the columns of a tensor are not adjacent but rows may be."""
    if rows == 1:
        return 1, min(2048, triton.next_power_of_2(columns))
    width = min(64 if max(steps) > 1 else 256, triton.next_power_of_2(columns))
    return min(2048 // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
