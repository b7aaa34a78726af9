"""aten::div_: self /= other, true, truncated or floored, computed in the promoted type, for any strides.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
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
def _divide(a, b, compute: tl.constexpr, ROUNDING: tl.constexpr):
    """The quotient; rounded to a whole number towards zero ("trunc") or down ("floor")."""
    if compute == tl.float32:
        quotient = _rounded(a, b, tl.div_rn(a, b), ROUNDING)  # `/` would be an approximation
    elif compute == tl.float64:
        quotient = _rounded(a, b, a / b, ROUNDING)
    else:
        quotient = a // b
        if ROUNDING == "floor":
            rest = a - quotient * b
            quotient -= ((rest != 0) & ((rest < 0) != (b < 0))).to(compute)
    return quotient


@triton.jit
def _rounded(a, b, quotient, ROUNDING: tl.constexpr):
    if ROUNDING == "trunc":
        quotient = tl.where(quotient < 0, tl.ceil(quotient), tl.floor(quotient))
    elif ROUNDING == "floor":
        quotient = _floor(a, b, quotient)
    return quotient


@triton.jit
def _floor(a, b, quotient):
    """Python's floor division, as ATen has it.

    A quotient just below a whole number may round up to it; the remainder tells, whose sign a fused
    multiply-add gets right. An infinite dividend leaves no remainder: NaN; an infinite divisor all of it.
    """
    whole = tl.floor(quotient)
    rest = tl.fma(-whole, b, a)
    above = ((rest < 0) & (b > 0)) | ((rest > 0) & (b < 0))
    vanishing = (whole == 0) & (a != 0) & ((a < 0) != (b < 0))
    floored = tl.where(above | vanishing, whole - 1, whole)
    endless = (tl.abs(a) == float("inf")) & (b != 0)
    return tl.where(endless, float("nan"), floored)


@triton.jit(do_not_specialize=["number"])
def _div_(
    out, y, number, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, y0, y1, y2, y3, y_step,
    compute: tl.constexpr, ROUNDING: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Divide out by y, or by the number where y is None."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    if y is None:
        right = _number(number, compute)
    else:
        right = tl.load(y + _place(row, column, n1, n2, n3, y0, y1, y2, y3, y_step), mask=inside).to(compute)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    left = tl.load(out + at, mask=inside).to(compute)
    value = _divide(left, right, compute, ROUNDING)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


def div_(
    self: torch.Tensor, other: torch.Tensor | float, *, rounding_mode: str | None = None
) -> torch.Tensor:
    """Self, after it was divided by other, which may be a number."""
    dtype = torch.result_type(self, other)
    if rounding_mode is None and not dtype.is_floating_point:
        dtype = torch.get_default_dtype()
    _check(self, other, rounding_mode, dtype)
    if self.numel():
        tensor, number = (other, 0) if isinstance(other, torch.Tensor) else (None, other)
        _launch(self, [tensor], _encoded(number, dtype), _compute_type(dtype), rounding_mode)
    return self


def _check(
    self: torch.Tensor, other: torch.Tensor | float, rounding_mode: str | None, dtype: torch.dtype
) -> None:
    """Refuse what ATen refuses: an unknown mode, a result that self can't hold, a shape that doesn't fit."""
    if rounding_mode not in (None, "trunc", "floor"):
        raise RuntimeError(f"rounding_mode must be None, 'trunc' or 'floor', not {rounding_mode!r}")
    if dtype is torch.bool:
        raise NotImplementedError("division with rounding is not defined for bools")
    if self.dtype is torch.bool or dtype.is_floating_point > self.dtype.is_floating_point:
        raise RuntimeError(f"result type {dtype} can't be cast to the desired output type {self.dtype}")
    if isinstance(other, torch.Tensor) and torch.broadcast_shapes(self.shape, other.shape) != self.shape:
        raise RuntimeError(f"output with shape {list(self.shape)} doesn't match the broadcast shape")
    if any(size > 1 and stride == 0 for size, stride in zip(self.shape, self.stride(), strict=True)):
        raise RuntimeError("elements of the written-to tensor share a memory location")


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
    rounding: str | None,
) -> None:
    tensors = [x if x is None else x.expand(out.shape) for x in tensors]
    *outer, (columns, steps) = _merged(out, *tensors)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], [x if x is None else x[i] for x in tensors], number, compute, rounding)
        return
    rows = out.numel() // columns
    height, width = _tile(rows, columns, steps)
    outer += [(1, (0, 0))] * (4 - len(outer))
    places = [s for k, step in enumerate(steps) for s in (*[strides[k] for _, strides in outer], step)]
    _div_[(triton.cdiv(rows, height) * triton.cdiv(columns, width),)](
        out, *tensors, number, rows, columns, *[size for size, _ in outer[1:]], *places,
        compute=compute, ROUNDING=rounding, INDEX=_index_type(rows, columns), HEIGHT=height, WIDTH=width,
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
