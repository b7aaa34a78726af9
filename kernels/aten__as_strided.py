"""aten::as_strided: the storage of a tensor through other sizes and strides, as a view.

This is the primitive that all views are made of. No element moves, so there is nothing for a kernel to do: a
copy would cost time and memory, and an overlapping view would not share its elements any more.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch


def as_strided(
    self: torch.Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> torch.Tensor:
    """A view of the storage.

    Args:
        self: whose storage is seen.
        size: of the view.
        stride: elements from one index to the next, in each dimension; not negative.
        storage_offset: the first element, counted from the start of the storage; by default that of self.

    Raises:
        RuntimeError: sizes and strides differ in number, or the storage ends before the last element.
    """
    if len(size) != len(stride):
        raise RuntimeError(f"mismatch in length of strides ({len(stride)}) and shape ({len(size)})")
    start = self.storage_offset() if storage_offset is None else storage_offset
    return self.as_strided(size, stride, start)
