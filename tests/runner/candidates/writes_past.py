# expect: wrong_alias wrong_value
"""Writes one element more than its output has."""

import torch
import triton
import triton.language as tl


@triton.jit
def _fill(out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, 0.5, mask=offsets < count)


def softmax(self, dim, dtype=None):
    out = torch.empty_like(self, dtype=dtype)
    count = min(out.numel(), 512)
    if count:
        _fill[(1,)](out, count + 1, BLOCK=1024)
    return out
