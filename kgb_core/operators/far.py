"""Tensors whose rows lie so far apart that offsets need 64 bits, and that cost little all the same.

The storage of such a tensor is allocated and not written: on the host its pages take no memory, on a device
nothing is moved. Whoever copies, ships or compares one handles its elements and never its storage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from kgb_core.models.case import far_step

_SPAN = 2**31
"""Elements that an offset of 32 bits reaches."""
_SPARSE = 1024
"""A tensor with fewer elements than its span divided by this is far; a large one is just large."""


def far_from(elements: torch.Tensor) -> torch.Tensor:
    """A far tensor with these elements, on their device.

    Raises:
        ValueError: there are fewer than three rows. With two, the step itself would need 64 bits, and the
            compiler would widen every offset by itself.
    """
    step = far_step(tuple(elements.shape))
    strides = (step, *_row_major(elements.shape[1:]))
    made = _empty(elements.shape, strides, 0, elements)
    return made.copy_(elements)


def is_far(tensor: torch.Tensor) -> bool:
    """True for a tensor that must not be handled by its whole storage."""
    span = tensor.storage_offset() + sum(
        (size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True)
    )
    return span >= _SPAN and tensor.numel() * _SPARSE < span


def far_copy(tensor: torch.Tensor, device: torch.device | str | None = None) -> torch.Tensor:
    """A far tensor with the same elements, size, strides and offset in a storage of its own."""
    like = tensor if device is None else tensor.new_empty(0, device=device)
    made = _empty(tensor.shape, tensor.stride(), int(tensor.storage_offset()), like)
    return made.copy_(tensor)


def held_bytes(tensor: torch.Tensor) -> int:
    """Bytes that a tensor's storage takes, as far as it was ever written."""
    if is_far(tensor):
        return tensor.numel() * tensor.element_size()
    return int(tensor.untyped_storage().nbytes())


def _empty(shape: Sequence[int], strides: Sequence[int], offset: int, like: torch.Tensor) -> torch.Tensor:
    count = offset + 1 + sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
    whole = torch.empty(count, dtype=like.dtype, device=like.device)
    return whole.as_strided(tuple(shape), tuple(strides), offset)


def _row_major(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]
