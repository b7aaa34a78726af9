"""aten::scalar_tensor: a number as a 0-d tensor.

One program writes one element. The only care is that the number arrives exact: Triton passes a Python float
as float32, which is how ATen rounds on the way to float32 and below; a float64 travels as its bit pattern.
"""

from __future__ import annotations

import struct

import torch
import triton
import triton.language as tl


# Not specialised on the value: one compiled kernel serves every number of a kind.
@triton.jit(do_not_specialize=["value"])
def _scalar_kernel(out, value, AS_DOUBLE: tl.constexpr, PAIR: tl.constexpr):
    if AS_DOUBLE:
        value = value.to(tl.int64).to(tl.float64, bitcast=True)
    at = tl.arange(0, 1)
    tl.store(out + at, tl.full((1,), value, out.dtype.element_ty))
    if PAIR:  # a complex number: its imaginary part
        tl.store(out + 1 + at, tl.zeros((1,), out.dtype.element_ty))


def scalar_tensor(
    s: float,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A tensor of no dimensions.

    Args:
        s: bool, int or float; converted to the dtype as ATen does (towards zero for integers).
        dtype: by default the default float.
        layout: strided, or None.
        device: where it lies.
        pin_memory: passed on to the allocation.
    """
    out = torch.empty((), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    pair = out.dtype.is_complex
    numbers = torch.view_as_real(out) if pair else out.view(torch.uint8) if out.dtype is torch.bool else out
    double = numbers.dtype is torch.float64
    _scalar_kernel[(1,)](numbers, _argument(s, out.dtype, double), AS_DOUBLE=double, PAIR=pair, num_warps=1)
    return out


def _argument(value: float, dtype: torch.dtype, double: bool) -> float:
    """The number as a kernel argument that loses nothing of it."""
    if dtype is torch.bool:
        return int(bool(value))
    if double:
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return float(value) if dtype.is_floating_point or dtype.is_complex else int(value)
