"""aten::select: one index of a dimension, as a view: the other dimensions from a later element on."""

from __future__ import annotations

import torch


def select(self: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    """The view, with one dimension less.

    Args:
        self: of one dimension or more.
        dim: which dimension; negative ones count from the last.
        index: which of its indices; negative ones count from its end.

    Raises:
        IndexError: no such dimension, or no such index.
    """
    if not -self.dim() <= dim < self.dim():
        raise IndexError(f"dimension {dim} of a tensor of {self.dim()}")
    dim %= self.dim()
    count = self.shape[dim]
    if not -count <= index < count:
        raise IndexError(f"index {index} in a dimension of {count}")
    sizes, strides = list(self.shape), list(self.stride())
    del sizes[dim], strides[dim]
    return self.as_strided(sizes, strides, self.storage_offset() + index % count * self.stride(dim))
