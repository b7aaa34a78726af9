"""aten::unsafe_split: a dimension cut into parts of equal size, as views that start at later elements."""

from __future__ import annotations

import torch


def unsafe_split(self: torch.Tensor, split_size: int, dim: int = 0) -> list[torch.Tensor]:
    """The parts.

    Args:
        self: of one dimension or more.
        split_size: indices in a part; the last has what is left. 0 only where the dimension has none.
        dim: which dimension; negative ones count from the last.

    Raises:
        IndexError: no such dimension.
        RuntimeError: parts of no or negative size.
    """
    if not -self.dim() <= dim < self.dim():
        raise IndexError(f"dimension {dim} of a tensor of {self.dim()}")
    dim %= self.dim()
    count = self.shape[dim]
    if split_size < 0 or (split_size == 0 and count):
        raise RuntimeError(f"parts of {split_size} indices of a dimension of {count}")
    # A dimension without indices is one part, whatever the size.
    starts = range(0, max(count, 1), max(split_size, 1))
    return [_part(self, dim, start, min(split_size, count - start)) for start in starts]


def _part(x: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    sizes = list(x.shape)
    sizes[dim] = length
    return x.as_strided(sizes, x.stride(), x.storage_offset() + start * x.stride(dim))
