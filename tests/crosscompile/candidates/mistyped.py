"""A kernel that no compiler takes."""

import torch
import triton
import triton.language as tl


@triton.jit
def mistyped_kernel(out, source, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(source + at) + tl.arange(0, 2 * BLOCK))


def twice(self):
    out = torch.empty_like(self)
    mistyped_kernel[(1,)](out, self, BLOCK=64)
    return out
