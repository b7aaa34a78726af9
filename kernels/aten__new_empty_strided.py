"""aten::new_empty_strided: memory of given sizes and strides, with the type and device of another tensor.

There is nothing to compute: the storage must just reach the last element that the strides can address. It is
allocated flat and seen through the wanted strides, holes and overlaps included.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch


def new_empty_strided(
    self: torch.Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """An uninitialised tensor.

    Args:
        self: lends type and device.
        size: its shape.
        stride: elements from one index to the next, in each dimension; not negative.
        dtype: by default that of self.
        layout: strided, or None.
        device: where it lies; by default where self does.
        pin_memory: passed on to the allocation.

    Raises:
        RuntimeError: sizes and strides differ in number.
    """
    if len(size) != len(stride):
        raise RuntimeError(f"{len(size)} sizes and {len(stride)} strides")
    flat = torch.empty(
        _span(size, stride),
        dtype=dtype or self.dtype,
        layout=layout,
        device=device or self.device,
        pin_memory=pin_memory,
    )
    return flat.as_strided(size, stride)


def _span(size: Sequence[int], stride: Sequence[int]) -> int:
    """Elements from the first to the last that can be addressed."""
    if 0 in size:
        return 0
    return 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
