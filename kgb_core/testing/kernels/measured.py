"""Kernels for the chip tier: one whose length is known by its loop, one that writes where it must not."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def spin(out, turns):
    """One program that counts: twice the turns take twice the time."""
    value = tl.load(out)
    for _ in range(turns):
        value = value * 1.0000001 + 1e-7
    tl.store(out, value)


@triton.jit
def wild(out, far):
    """Writes far outside of its buffer."""
    tl.store(out + far, 1.0)
