"""aten::unsqueeze: one more dimension of size 1, as a view of the same memory."""

from __future__ import annotations

import torch


def unsqueeze(self: torch.Tensor, dim: int) -> torch.Tensor:
    """The view, with one dimension more.

    Args:
        self: any tensor.
        dim: where the new dimension stands in the result; negative ones count from its last.

    Raises:
        IndexError: no such place.
    """
    rank = self.dim() + 1
    if not -rank <= dim < rank:
        raise IndexError(f"place {dim} in a tensor of {rank} dimensions")
    dim %= rank
    sizes, strides = list(self.shape), list(self.stride())
    # The stride of one index is never used; ATen gives it what keeps the dimensions nested.
    strides.insert(dim, sizes[dim] * strides[dim] if dim < self.dim() else 1)
    sizes.insert(dim, 1)
    return self.as_strided(sizes, strides, self.storage_offset())
