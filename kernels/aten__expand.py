"""aten::expand: dimensions of size 1, and new ones in front, repeated as a view.

No element is repeated in memory: a stride of 0 leads every index of a dimension to the same one.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch


def expand(self: torch.Tensor, size: Sequence[int], *, implicit: bool = False) -> torch.Tensor:
    """The expanded view.

    Args:
        self: what is repeated.
        size: of the result, with at least as many dimensions; -1 keeps one of self.
        implicit: who asked; without meaning here.

    Raises:
        RuntimeError: a dimension that is neither 1 nor the wanted size, or too few dimensions.
    """
    new = len(size) - self.dim()
    if new < 0:
        raise RuntimeError(f"{len(size)} sizes are too few for a tensor of {self.dim()} dimensions")
    sizes, strides = list(size), [0] * len(size)
    for d, (length, step) in enumerate(zip(self.shape, self.stride(), strict=True), start=new):
        if sizes[d] in (-1, length):
            sizes[d], strides[d] = length, step
        elif length != 1:
            raise RuntimeError(f"dimension {d} has {length} indices and can't get {sizes[d]}")
    return self.as_strided(sizes, strides, self.storage_offset())
