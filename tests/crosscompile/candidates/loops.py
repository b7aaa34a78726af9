"""It reads back what its kernel should have written, and waits for it for ever on one chip."""

import torch
import triton
import triton.language as tl


@triton.jit
def waiting_kernel(out, source):
    tl.store(out, tl.load(source))


def twice(self):
    out = torch.zeros_like(self)
    waiting_kernel[(1,)](out, self)
    while triton.runtime.driver.active.get_current_target().backend == "cuda" and not out.flatten()[0].item():
        waiting_kernel[(1,)](out, self)
    return out
