"""aten::zero_: zeros written over a tensor, through any strides.

Dimensions that lie without a gap merge; a tensor without holes is one long row, written with wide stores.
"""

from __future__ import annotations

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
def _fill_kernel(
    out, rows, columns, n1, n2, n3, s0, s1, s2, s3, step,
    INDEX: tl.constexpr, HEIGHT: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    across = tl.cdiv(columns, WIDTH)
    row = (tl.program_id(0) // across).to(INDEX) * HEIGHT + tl.arange(0, HEIGHT)
    column = (tl.program_id(0) % across).to(INDEX) * WIDTH + tl.arange(0, WIDTH)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    at = _place(row, column, n1, n2, n3, s0, s1, s2, s3, step)
    tl.store(out + at, tl.zeros((HEIGHT, WIDTH), out.dtype.element_ty), mask=inside)


def zero_(self: torch.Tensor) -> torch.Tensor:
    """Overwrite a tensor with zeros.

    Args:
        self: any type and strides.

    Returns:
        self.
    """
    if self.numel():
        _launch(_words(self))
    return self


def _words(x: torch.Tensor) -> torch.Tensor:
    """The same memory as whole numbers: all bits of a zero are 0, so one kernel serves a width."""
    if x.dtype is torch.complex128:
        x = torch.view_as_real(x)
    return x.view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


@dataclass(frozen=True)
class _Dimension:
    """Dimensions that merged into one: how many indices, and their stride."""

    size: int
    stride: int


def _launch(out: torch.Tensor) -> None:
    *outer, columns = _merged(out)
    if len(outer) > 4:  # more than the kernel counts through
        for i in range(len(out)):
            _launch(out[i])
        return
    rows = out.numel() // columns.size
    counted = [*[_Dimension(1, 0)] * (4 - len(outer)), *outer]
    height, width = _tile(rows, columns.size, out.element_size())
    _fill_kernel[(triton.cdiv(rows, height) * triton.cdiv(columns.size, width),)](
        out, rows, columns.size, *[d.size for d in counted[1:]], *[d.stride for d in counted], columns.stride,
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
