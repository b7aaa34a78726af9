"""aten::arange: evenly spaced numbers.

A program writes one block; each number comes from its index alone, so no error adds up. Whole numbers are
counted in int64. Floats are start + step * index in float32 and rounded once, or in float64 for float64,
whose numbers travel as bit patterns since Triton passes a Python float as float32.
"""

from __future__ import annotations

import math
import struct

import torch
import triton
import triton.language as tl

_BLOCK_BYTES = 8192  # a program: 64 bytes a thread
_WARPS = 4


# Not specialised on the numbers: one compiled kernel serves all ranges of a type.
@triton.jit(do_not_specialize=["start", "step"])
def _arange_kernel(out, start, step, count, AS_DOUBLE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    if AS_DOUBLE:
        first = tl.full((BLOCK,), start, tl.int64).to(tl.float64, bitcast=True)
        value = first + at.to(tl.float64) * tl.full((BLOCK,), step, tl.int64).to(tl.float64, bitcast=True)
    elif out.dtype.element_ty.is_floating():
        value = tl.full((BLOCK,), start, tl.float32) + at.to(tl.float32) * step
    else:
        value = tl.full((BLOCK,), start, tl.int64) + at * step
    tl.store(out + at, value.to(out.dtype.element_ty), mask=at < count)


def arange(
    start: float,
    end: float,
    step: float = 1,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """The numbers from start, a step apart, before the end.

    Args:
        start: the first.
        end: where they end; not among them.
        step: from each to the next; not 0.
        dtype: by default int64 if all three are whole, else the default float.
        layout: strided, or None.
        device: where it lies.
        pin_memory: passed on to the allocation.

    Raises:
        RuntimeError: no step, or an end on the wrong side.
    """
    dtype = dtype or _natural(start, end, step)
    if not _argument(step, dtype) or (end - start) * step < 0:
        raise RuntimeError(f"no way from {start} to {end} in steps of {step}")
    count = _count(start, end, step, dtype)
    out = torch.empty(count, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    if count:
        block = _BLOCK_BYTES // max(out.element_size(), 4)
        _arange_kernel[(triton.cdiv(count, block),)](
            out,
            _argument(start, dtype),
            _argument(step, dtype),
            count,
            AS_DOUBLE=dtype is torch.float64,
            BLOCK=block,
            num_warps=_WARPS,
        )
    return out


def _natural(*numbers: float) -> torch.dtype:
    """The dtype that the numbers have by themselves."""
    return torch.int64 if all(isinstance(number, int) for number in numbers) else torch.get_default_dtype()


def _count(start: float, end: float, step: float, dtype: torch.dtype) -> int:
    """How many there are; exact in int64, in double precision for other types, as in ATen."""
    if dtype is torch.int64:
        return -((int(start) - int(end)) // int(step))
    return math.ceil((float(end) - float(start)) / float(step))


def _argument(value: float, dtype: torch.dtype) -> float:
    """The number as a kernel argument that loses nothing of it."""
    if dtype is torch.float64:
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return float(value) if dtype.is_floating_point else int(value)
