"""aten::resolve_neg: the tensor itself, or a copy in which a negation that was put off is done.

PyTorch marks a tensor that is still to be negated with a bit, as the imaginary part of a conjugate. Without
the bit there is nothing to do. With it, one kernel copies the elements and turns their sign on the way.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_BLOCK = 1024


@triton.jit
def _negate(out, x, count, n1, n2, n3, s0, s1, s2, s3, BLOCK: tl.constexpr):
    """Elements of x, counted through four dimensions of strides s0 to s3, negated into a contiguous out."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    row = at
    offset = (row % n3) * s3
    row = row // n3
    offset += (row % n2) * s2
    row = row // n2
    offset += (row % n1) * s1 + (row // n1) * s0
    tl.store(out + at, -tl.load(x + offset, mask=inside), mask=inside)


def resolve_neg(self: torch.Tensor) -> torch.Tensor:
    """The tensor with no negation left to do.

    Args:
        self: any type and strides.

    Returns:
        self where it has no such bit; else a contiguous copy.
    """
    if not self.is_neg():
        return self
    out = torch.empty(self.shape, dtype=self.dtype, device=self.device)
    if out.numel():
        plain = torch._neg_view(self)  # the bit once more: without it
        _launch(_real(out), _real(plain))
    return out


def _real(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(x) if x.dtype.is_complex else x


def _launch(out: torch.Tensor, x: torch.Tensor) -> None:
    """Negate x into out, which is contiguous and of the same shape."""
    if x.dim() > 4:  # more than the kernel counts through
        for i in range(len(x)):
            _launch(out[i], x[i])
        return
    missing = 4 - x.dim()
    sizes, strides = [1] * missing + list(x.shape), [0] * missing + list(x.stride())
    count = out.numel()
    _negate[(triton.cdiv(count, _BLOCK),)](out, x, count, *sizes[1:], *strides, BLOCK=_BLOCK)
