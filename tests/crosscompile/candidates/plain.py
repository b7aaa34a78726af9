"""Twice as much: nothing is wrong with it."""

import torch
import triton
import triton.language as tl


@triton.jit
def plain_kernel(out, source, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(source + at, mask=at < count) * 2, mask=at < count)


def twice(self):
    out = torch.empty_like(self, device="cuda")
    plain_kernel[(triton.cdiv(self.numel(), 64),)](out, self, self.numel(), BLOCK=64)
    plain_kernel[(1,)](out, self, self.numel(), BLOCK=64)
    return out
