"""Wrong: every value is off by one part in a hundred."""

import torch
import triton
import triton.language as tl


@triton.jit
def _scale(x, y, factor, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n).to(tl.float32) * factor * 1.01
    tl.store(y + at, value.to(y.dtype.element_ty), mask=at < n)


def scale(self, factor):
    """Every element times nearly that number."""
    out = torch.empty_like(self)
    _scale[(triton.cdiv(self.numel(), 4096),)](self, out, factor, self.numel(), BLOCK=4096)
    return out
