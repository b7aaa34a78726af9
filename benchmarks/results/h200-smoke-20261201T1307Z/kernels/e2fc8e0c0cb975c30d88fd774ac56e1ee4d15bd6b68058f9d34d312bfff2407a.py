"""aten::full: a new tensor with one value everywhere.

A program writes one block with wide stores. Nothing is read, so the only care is that the value arrives
exact: Triton passes a Python float as float32, which is how ATen rounds on the way to float32 and below; a
float64 travels as its bit pattern.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import torch
import triton
import triton.language as tl

_BLOCK_BYTES = 16384  # a program: 128 bytes a thread
_WARPS = 4


# Not specialised on the value: one compiled kernel serves every value of a kind.
@triton.jit(do_not_specialize=["value"])
def _full_kernel(out, value, count, AS_DOUBLE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    if AS_DOUBLE:
        value = value.to(tl.int64).to(tl.float64, bitcast=True)
    tl.store(out + at, tl.full((BLOCK,), value, out.dtype.element_ty), mask=at < count)


def full(
    size: Sequence[int],
    fill_value: float,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A contiguous tensor filled with a number.

    Args:
        size: its shape.
        fill_value: bool, int or float; converted to the dtype as ATen does (towards zero for integers).
        dtype: by default bool, int64 or the default float, as the value's type says.
        layout: strided, or None.
        device: where it lies.
        pin_memory: passed on to the allocation.
    """
    dtype = dtype or _natural(fill_value)
    out = torch.empty(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    count = out.numel()
    if not count:
        return out
    block = _BLOCK_BYTES // out.element_size()
    _full_kernel[(triton.cdiv(count, block),)](
        out.view(torch.uint8) if dtype is torch.bool else out,
        _argument(fill_value, dtype),
        count,
        AS_DOUBLE=dtype is torch.float64,
        BLOCK=block,
        num_warps=_WARPS,
    )
    return out


def _natural(value: float) -> torch.dtype:
    """The dtype that a Python number has by itself."""
    if isinstance(value, bool):
        return torch.bool
    return torch.int64 if isinstance(value, int) else torch.get_default_dtype()


def _argument(value: float, dtype: torch.dtype) -> float:
    """The value as a kernel argument that loses nothing of it."""
    if dtype is torch.bool:
        return int(bool(value))
    if dtype is torch.float64:
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return float(value) if dtype.is_floating_point else int(value)
