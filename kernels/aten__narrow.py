"""aten::narrow: a range of one dimension, as a view: the same strides from a later element on."""

from __future__ import annotations

import torch


def narrow(self: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    """The narrowed view.

    Args:
        self: of one dimension or more.
        dim: which dimension; negative ones count from the last.
        start: its first index that stays; negative ones count from its end.
        length: how many stay.

    Raises:
        IndexError: no such dimension, or a start outside it.
        RuntimeError: the range does not lie inside the dimension.
    """
    if not -self.dim() <= dim < self.dim():
        raise IndexError(f"dimension {dim} of a tensor of {self.dim()}")
    dim %= self.dim()
    count = self.shape[dim]
    if not -count <= start <= count:
        raise IndexError(f"start {start} in a dimension of {count}")
    start += count if start < 0 else 0
    if length < 0 or start + length > count:
        raise RuntimeError(f"{length} from {start} on, in a dimension of {count}")
    sizes = list(self.shape)
    sizes[dim] = length
    return self.as_strided(sizes, self.stride(), self.storage_offset() + start * self.stride(dim))
