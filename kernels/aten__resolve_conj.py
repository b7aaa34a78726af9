"""aten::resolve_conj: the tensor itself, or a copy in which a conjugation that was put off is done.

PyTorch marks a tensor that is still to be conjugated with a bit. Without the bit there is nothing to do. With
it, one kernel copies real and imaginary parts, and turns the sign of the imaginary ones on the way.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_BLOCK = 1024


@triton.jit
def _conjugate(out, x, count, n1, n2, n3, s0, s1, s2, s3, BLOCK: tl.constexpr):
    """Pairs of x, counted through four dimensions of strides s0 to s3, conjugated into a contiguous out."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    row = at
    offset = (row % n3) * s3
    row = row // n3
    offset += (row % n2) * s2
    row = row // n2
    offset += (row % n1) * s1 + (row // n1) * s0
    tl.store(out + 2 * at, tl.load(x + offset, mask=inside), mask=inside)
    tl.store(out + 2 * at + 1, -tl.load(x + offset + 1, mask=inside), mask=inside)


def resolve_conj(self: torch.Tensor) -> torch.Tensor:
    """The tensor with no conjugation left to do.

    Args:
        self: any type and strides.

    Returns:
        self where it has no such bit; else a contiguous copy.
    """
    if not self.is_conj():
        return self
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    if out.numel():
        _launch(torch.view_as_real(out), torch.view_as_real(self.conj()))
    return out


def _launch(out: torch.Tensor, x: torch.Tensor) -> None:
    """Conjugate x into out; both are pairs of real numbers in their last dimension."""
    if x.dim() > 5:  # more than the kernel counts through
        for i in range(len(x)):
            _launch(out[i], x[i])
        return
    missing = 5 - x.dim()
    sizes, strides = [1] * missing + list(x.shape[:-1]), [0] * missing + list(x.stride()[:-1])
    count = out.numel() // 2
    _conjugate[(triton.cdiv(count, _BLOCK),)](out, x, count, *sizes[1:], *strides, BLOCK=_BLOCK)
