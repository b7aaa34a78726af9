"""aten::zeros: a new tensor of zeros.

Nothing is read; a program writes one block with wide stores.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import triton
import triton.language as tl

_BLOCK_BYTES = 16384  # a program: 128 bytes a thread
_WARPS = 4


@triton.jit
def _zero_kernel(out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.zeros((BLOCK,), out.dtype.element_ty), mask=at < count)


def zeros(
    size: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A contiguous tensor of zeros.

    Args:
        size: its shape.
        dtype: by default the default float.
        layout: strided, or None.
        device: where it lies.
        pin_memory: passed on to the allocation.
    """
    out = torch.empty(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    _launch(out)
    return out


def _launch(out: torch.Tensor) -> None:
    """Zero memory without holes: its order does not matter, nor what its bytes mean."""
    words = _words(out)
    count = words.numel()
    block = _BLOCK_BYTES // words.element_size()
    if count:
        _zero_kernel[(triton.cdiv(count, block),)](words, count, BLOCK=block, num_warps=_WARPS)


def _words(x: torch.Tensor) -> torch.Tensor:
    """The same memory as whole numbers: all bits of a zero are 0, so one kernel serves a width."""
    if x.dtype is torch.complex128:
        x = torch.view_as_real(x)
    return x.view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])
