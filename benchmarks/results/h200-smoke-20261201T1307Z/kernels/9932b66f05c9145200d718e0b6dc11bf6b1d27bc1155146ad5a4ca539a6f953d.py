"""aten::empty_strided: memory for a tensor of given sizes and strides, contents undefined.

There is nothing to compute: the storage must just reach the last element that the strides can address. It is
allocated flat and seen through the wanted strides, holes and overlaps included.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch


def empty_strided(
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
        size: its shape.
        stride: elements from one index to the next, in each dimension; not negative.
        dtype: by default the default float.
        layout: strided, or None.
        device: where it lies.
        pin_memory: passed on to the allocation.

    Raises:
        RuntimeError: sizes and strides differ in number.
    """
    if len(size) != len(stride):
        raise RuntimeError(f"{len(size)} sizes and {len(stride)} strides")
    flat = torch.empty(_span(size, stride), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return flat.as_strided(size, stride)


def _span(size: Sequence[int], stride: Sequence[int]) -> int:
    """Elements from the first to the last that can be addressed."""
    if 0 in size:
        return 0
    return 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
