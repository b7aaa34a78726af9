"""aten::unsafe_split_with_sizes: a dimension cut into given parts, as views that start at later elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import torch


def unsafe_split_with_sizes(
    self: torch.Tensor, split_sizes: Sequence[int], dim: int = 0
) -> list[torch.Tensor]:
    """The parts.

    Args:
        self: of one dimension or more.
        split_sizes: indices in each part; together those of the dimension.
        dim: which dimension; negative ones count from the last.

    Raises:
        IndexError: no such dimension.
        RuntimeError: a negative size, or sizes that don't add up.
    """
    if not -self.dim() <= dim < self.dim():
        raise IndexError(f"dimension {dim} of a tensor of {self.dim()}")
    dim %= self.dim()
    if sum(split_sizes) != self.shape[dim] or min(split_sizes, default=0) < 0:
        raise RuntimeError(f"sizes {list(split_sizes)} for a dimension of {self.shape[dim]}")
    starts = accumulate(split_sizes, initial=0)
    return [_part(self, dim, start, length) for start, length in zip(starts, split_sizes, strict=False)]


def _part(x: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    sizes = list(x.shape)
    sizes[dim] = length
    return x.as_strided(sizes, x.stride(), x.storage_offset() + start * x.stride(dim))
