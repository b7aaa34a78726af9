"""aten::copy_: the elements of another tensor, broadcast and converted, written in place.

One kernel. A tile spans some columns, which run along the output's fastest dimension, and some rows, which
count through all others. Tensors that lie alike in memory merge into one long row, read in wide accesses.
Where the type stays, elements are moved as whole numbers of their width.
"""

from __future__ import annotations

from dataclasses import dataclass

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
def _converted(value, kind: tl.constexpr):
    """As ATen converts: whatever is not zero is True, and half precision is reached by way of float32."""
    if kind == tl.int1:
        value = value != 0
    elif kind == tl.float16 or kind == tl.bfloat16:
        value = value.to(tl.float32)
    return value.to(kind)


@triton.jit
def _copy(
    out, x, rows, columns, n1, n2, n3, o0, o1, o2, o3, o_step, x0, x1, x2, x3, x_step,
    kind: tl.constexpr, INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Write x in the type of out."""
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, x0, x1, x2, x3, x_step)
    value = _converted(tl.load(x + at, mask=inside), kind)
    at = _place(row, column, n1, n2, n3, o0, o1, o2, o3, o_step)
    tl.store(out + at, value, mask=inside)


def copy_(self: torch.Tensor, src: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Overwrite a tensor.

    Args:
        self: what is written, any strides.
        src: what is read, of a shape that broadcasts to that of self. Between real and complex numbers no
            kernel converts here.
        non_blocking: without meaning on one device.

    Returns:
        self.

    Raises:
        NotImplementedError: from complex to real numbers, or back.
    """
    src = src.expand(self.shape)
    if self.dtype.is_complex is not src.dtype.is_complex:
        raise NotImplementedError("conversion between real and complex numbers")
    if self.numel():
        seen = _bits if self.dtype is src.dtype else _real
        _launch(seen(self), seen(src))
    return self


def _real(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(x) if x.dtype.is_complex else x


def _bits(x: torch.Tensor) -> torch.Tensor:
    """The same memory as whole numbers: a copy need not know what its bits mean."""
    if x.dtype is torch.complex128:
        x = torch.view_as_real(x)
    return x.view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


@dataclass(frozen=True)
class _Dimension:
    """Dimensions that merged into one: how many indices, and the stride in either tensor."""

    size: int
    out: int
    x: int


def _triton_type(dtype: torch.dtype) -> tl.dtype:
    return tl.int1 if dtype is torch.bool else getattr(tl, str(dtype).removeprefix("torch."))


def _launch(out: torch.Tensor, x: torch.Tensor) -> None:
    """Copy x to out, which has the same shape."""
    *outer, columns = _merged(out, x)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i], x[i])
        return
    rows = out.numel() // columns.size
    counted = [*[_Dimension(1, 0, 0)] * (4 - len(outer)), *_in_order_of(outer, columns)]
    height, width = _tile(rows, columns, max(out.element_size(), x.element_size()))
    _copy[(triton.cdiv(rows, height) * triton.cdiv(columns.size, width),)](
        out, x, rows, columns.size, *[d.size for d in counted[1:]],
        *[d.out for d in counted], columns.out, *[d.x for d in counted], columns.x,
        kind=_triton_type(out.dtype), INDEX=_index_type(rows, columns.size), HEIGHT=height, WIDTH=width,
    )  # fmt: skip


def _merged(out: torch.Tensor, x: torch.Tensor) -> list[_Dimension]:
    """Dimensions, the output's slowest first; two become one where both tensors allow it."""
    merged = [_Dimension(1, 0, 0)]
    for d in sorted(range(out.dim()), key=out.stride, reverse=True):
        last, fine = merged[-1], _Dimension(out.shape[d], out.stride(d), x.stride(d))
        if last.size == 1 or (last.out, last.x) == (fine.size * fine.out, fine.size * fine.x):
            merged[-1] = _Dimension(last.size * fine.size, fine.out, fine.x)
        elif fine.size != 1:
            merged.append(fine)
    return merged


def _in_order_of(outer: list[_Dimension], columns: _Dimension) -> list[_Dimension]:
    """The rows' dimensions as x has them where its columns lie apart, so that its reads are adjacent."""
    if all(columns.x <= d.x for d in outer if d.x):
        return outer
    return sorted(outer, key=lambda d: d.x or columns.x, reverse=True)


def _tile(rows: int, columns: _Dimension, itemsize: int) -> tuple[int, int]:
    """Height and width of a tile of 8 KiB: squarer where columns are not adjacent but rows may be."""
    area = 8192 // itemsize
    if rows == 1:
        return 1, min(area, triton.next_power_of_2(columns.size))
    width = min(64 if max(columns.out, columns.x) > 1 else 256, triton.next_power_of_2(columns.size))
    return min(area // width, triton.next_power_of_2(rows)), width


def _index_type(rows: int, columns: int) -> tl.dtype:
    return tl.int32 if max(rows, columns) < 2**30 else tl.int64
