"""A product of two tiles that needs more shared memory than any chip has."""

import torch
import triton
import triton.language as tl


@triton.jit
def greedy_kernel(out, source, SIDE: tl.constexpr):
    row = tl.arange(0, SIDE)
    place = row[:, None] * SIDE + row[None, :]
    tile = tl.load(source + place).to(tl.float16)
    tl.store(out + place, tl.dot(tile, tile))


def twice(self):
    out = torch.empty((256, 256), dtype=torch.float32)
    greedy_kernel[(1,)](out, self, SIDE=256, num_warps=8)
    return out
