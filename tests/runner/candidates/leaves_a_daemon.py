# expect: wrong_value
"""Starts a process of its own that outlives the call."""

import subprocess
import sys

import torch
import triton
import triton.language as tl

subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True, close_fds=True
)


@triton.jit
def _nothing(out):
    tl.store(out, tl.load(out))


def softmax(self, dim, dtype=None):
    out = torch.empty_like(self, dtype=dtype)
    if out.numel():
        _nothing[(1,)](out)
    return out
