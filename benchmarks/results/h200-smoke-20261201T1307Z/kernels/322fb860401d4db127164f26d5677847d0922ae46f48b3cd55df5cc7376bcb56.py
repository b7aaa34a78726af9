"""aten::t: the transpose of a matrix, as a view; vectors and scalars as they are.

A transpose needs no kernel: the same memory read with its two strides exchanged is the answer, at no cost and
for every size. Copying with a kernel would be right too, and never faster.
"""

from __future__ import annotations

import torch


def t(self: torch.Tensor) -> torch.Tensor:
    """The transposed view of a tensor of at most two dimensions.

    Args:
        self: 0-d, 1-d or 2-d, any dtype and strides.

    Returns:
        A view of the same memory, dimensions reversed.

    Raises:
        RuntimeError: three dimensions or more.
    """
    if self.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
    return self.as_strided(self.shape[::-1], self.stride()[::-1])
