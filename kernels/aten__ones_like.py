"""aten::ones_like: a new tensor of ones that lies in memory as another does.

The memory of a new tensor has no holes, so it is written from end to end with wide stores, whatever the order
of its dimensions.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_BLOCK_BYTES = 16384  # a program: 128 bytes a thread
_WARPS = 4


@triton.jit
def _one_kernel(out, count, PAIRS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    value = tl.full((BLOCK,), 1, out.dtype.element_ty)
    if PAIRS:  # a complex one is a one and a zero
        value = tl.where(at % 2 == 0, value, tl.zeros((BLOCK,), out.dtype.element_ty))
    tl.store(out + at, value, mask=at < count)


def ones_like(
    self: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """A tensor of ones.

    Args:
        self: its model; the elements are not read.
        dtype: by default that of self.
        layout: strided, or None.
        device: where it lies; by default where self does.
        pin_memory: passed on to the allocation.
        memory_format: the order of its dimensions in memory; by default as in self.
    """
    out = torch.empty_like(
        self,
        dtype=dtype,
        layout=layout,
        device=device,
        pin_memory=bool(pin_memory),
        memory_format=memory_format or torch.preserve_format,
    )
    _launch(out)
    return out


def _launch(out: torch.Tensor) -> None:
    """Write ones to memory without holes: its order does not matter."""
    numbers = _numbers(out)
    count = numbers.numel()
    block = _BLOCK_BYTES // numbers.element_size()
    if count:
        _one_kernel[(triton.cdiv(count, block),)](
            numbers, count, PAIRS=out.dtype.is_complex, BLOCK=block, num_warps=_WARPS
        )


def _numbers(x: torch.Tensor) -> torch.Tensor:
    """The same memory in types that a kernel takes: bools as bytes, complex numbers as pairs."""
    if x.dtype.is_complex:
        return torch.view_as_real(x)
    return x.view(torch.uint8) if x.dtype is torch.bool else x
