"""aten::fill_: one value written over a tensor, through any strides.

Dimensions that lie without a gap merge; a tensor without holes is one long row, written with wide stores. A
number arrives exact: Triton passes a Python float as float32, which is how ATen rounds on the way to float32
and below; a float64 travels as its bit pattern. The value of a tensor is read where it lies.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import torch
import triton
import triton.language as tl

_BLOCK_BYTES = 16384  # a program: 128 bytes a thread
_WARPS = 4


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
def _converted(value, kind: tl.constexpr):
    """As ATen converts: whatever is not zero is True, and half precision is reached by way of float32."""
    if kind == tl.int1:
        value = value != 0
    elif kind == tl.float16 or kind == tl.bfloat16:
        value = value.to(tl.float32)
    return value.to(kind)


# Not specialised on the value: one compiled kernel serves every number of a kind.
@triton.jit(do_not_specialize=["value"])
def _fill_kernel(
    out, value, rows, columns, n1, n2, n3, s0, s1, s2, s3, step,
    kind: tl.constexpr, READ: tl.constexpr, AS_DOUBLE: tl.constexpr,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    if READ:
        value = _converted(tl.load(value), kind)
    if AS_DOUBLE:
        value = value.to(tl.int64).to(tl.float64, bitcast=True)
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, s0, s1, s2, s3, step)
    tl.store(out + at, tl.full((HEIGHT, WIDTH), value, kind), mask=inside)


def fill_(self: torch.Tensor, value: float | torch.Tensor) -> torch.Tensor:
    """Overwrite a tensor with one value.

    Args:
        self: any type and strides.
        value: a number, or a 0-d tensor on the same device.

    Returns:
        self.

    Raises:
        RuntimeError: a tensor of one dimension or more.
    """
    if isinstance(value, torch.Tensor) and value.dim():
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got {value.dim()} dimensions")
    if not self.numel():
        return self
    if self.dtype.is_complex:
        for part, number in zip(_parts(self), _parts_of_value(value), strict=True):
            _launch(part, number)
    else:
        _launch(self, value)
    return self


def _parts(x: torch.Tensor) -> list[torch.Tensor]:
    """Real and imaginary parts as views."""
    pairs = torch.view_as_real(x)
    return [pairs.select(-1, 0), pairs.select(-1, 1)]


def _parts_of_value(value: complex | torch.Tensor) -> list[float] | list[torch.Tensor]:
    if not isinstance(value, torch.Tensor):
        return [complex(value).real, complex(value).imag]
    if value.dtype.is_complex:
        return _parts(value)
    raise NotImplementedError("a real tensor fills no complex one here")


def _triton_type(dtype: torch.dtype) -> tl.dtype:
    return tl.int1 if dtype is torch.bool else getattr(tl, str(dtype).removeprefix("torch."))


def _argument(value: float, dtype: torch.dtype) -> float:
    """The number as a kernel argument that loses nothing of it."""
    if dtype is torch.bool:
        return int(bool(value))
    if dtype is torch.float64:
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return float(value) if dtype.is_floating_point else int(value)


@dataclass(frozen=True)
class _Dimension:
    """Dimensions that merged into one: how many indices, and their stride."""

    size: int
    stride: int


def _launch(out: torch.Tensor, value: float | torch.Tensor) -> None:
    *outer, columns = _merged(out)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], value)
        return
    rows = out.numel() // columns.size
    counted = [*[_Dimension(1, 0)] * (4 - len(outer)), *outer]
    read = isinstance(value, torch.Tensor)
    argument = value if isinstance(value, torch.Tensor) else _argument(value, out.dtype)
    height, width = _tile(rows, columns.size, out.element_size())
    _fill_kernel[(triton.cdiv(rows, height) * triton.cdiv(columns.size, width),)](
        out, argument, rows, columns.size, *[d.size for d in counted[1:]],
        *[d.stride for d in counted], columns.stride,
        kind=_triton_type(out.dtype), READ=read, AS_DOUBLE=out.dtype is torch.float64 and not read,
        INDEX=_index_type(rows, columns.size), HEIGHT=height, WIDTH=width, num_warps=_WARPS,
    )  # fmt: skip


def _merged(out: torch.Tensor) -> list[_Dimension]:
    """Dimensions, the slowest first; two become one where they lie without a gap."""
    merged = [_Dimension(1, 0)]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        last, fine = merged[-1], _Dimension(out.shape[d], out.stride(d))
        if last.size == 1 or last.stride == fine.size * fine.stride:
            merged[-1] = _Dimension(last.size * fine.size, fine.stride)
        elif fine.size != 1:
            merged.append(fine)
    return merged


def _tile(rows: int, columns: int, itemsize: int) -> tuple[int, int]:
    """Height and width of a tile, as wide as the columns allow."""
    area = _BLOCK_BYTES // itemsize
    width = min(area if rows == 1 else 256, triton.next_power_of_2(columns))
    return min(area // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
