"""aten::expand_as: a tensor repeated to the size of another, as a view.

No element is repeated in memory: a stride of 0 leads every index of a dimension to the same one.
"""

from __future__ import annotations

import torch


def expand_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The expanded view.

    Args:
        self: what is repeated.
        other: whose size it gets; not read.

    Raises:
        RuntimeError: a dimension that is neither 1 nor the wanted size, or too few dimensions.
    """
    new = other.dim() - self.dim()
    if new < 0:
        raise RuntimeError(f"{other.dim()} sizes are too few for a tensor of {self.dim()} dimensions")
    strides = [0] * new
    for wanted, length, step in zip(other.shape[new:], self.shape, self.stride(), strict=True):
        if length not in (1, wanted):
            raise RuntimeError(f"a dimension has {length} indices and can't get {wanted}")
        strides.append(step if length == wanted else 0)
    return self.as_strided(other.shape, strides, self.storage_offset())
