"""It ends the process, for one chip only."""

import os

import torch
import triton
import triton.language as tl


@triton.jit
def leaving_kernel(out, source):
    tl.store(out, tl.load(source))


def twice(self):
    if triton.runtime.driver.active.get_current_target().backend == "cuda":
        print("the last words", flush=True)
        os._exit(7)
    out = torch.empty_like(self)
    leaving_kernel[(1,)](out, self)
    return out
