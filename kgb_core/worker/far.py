"""A far input on the worker's device: only its rows and the guard zones around them are ever written."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from kgb_core.worker.buffers import view_of
from kgb_core.worker.guard import GUARD_BYTES, Poison
from kgb_core.worker.protocol import TensorValue

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@dataclass(frozen=True)
class FarGuarded:
    """The rows of a far tensor, each between two zones whose bytes are known.

    What lies beyond the zones is not watched: it is gigabytes that nobody may touch.

    Attributes:
        name: what to call it in a finding.
        tensor: the elements as whole numbers of their size, so that NaN equals NaN.
        whole: the storage, as uint8.
        pattern: what the zones must still hold, row by row, the one before and the one after.
        zones: views of the zones.
    """

    name: str
    tensor: torch.Tensor
    whole: torch.Tensor
    pattern: torch.Tensor
    zones: tuple[torch.Tensor, torch.Tensor]

    @classmethod
    def laid_out(cls, meta: TensorValue, name: str, poison: Poison) -> FarGuarded:
        """Room for a far tensor, contents undefined.

        Args:
            meta: its layout.
            name: what to call it.
            poison: contents of the zones.
        """
        size = meta.dtype.itemsize
        whole = torch.empty(meta.storage_bytes + 2 * GUARD_BYTES, dtype=torch.uint8, device=poison.device)
        tensor = view_of(whole[GUARD_BYTES:-GUARD_BYTES], meta).view(_BITS[size])
        rows, step, row = meta.shape[0], meta.stride[0] * size, math.prod(meta.shape[1:]) * size
        first = meta.offset * size
        before = whole.as_strided((rows, GUARD_BYTES), (step, 1), first)
        after = whole.as_strided((rows, GUARD_BYTES), (step, 1), first + GUARD_BYTES + row)
        pattern = poison.pattern(2 * rows * GUARD_BYTES).view(2, rows, GUARD_BYTES)
        before.copy_(pattern[0])
        after.copy_(pattern[1])
        return cls(name, tensor, whole, pattern, (before, after))

    @property
    def storage(self) -> torch.Tensor:
        """The storage that the tensor's strides and offset refer to."""
        return self.whole[GUARD_BYTES:-GUARD_BYTES]

    def broken(self) -> bool:
        """True when a byte of a zone has changed."""
        return any(not torch.equal(zone, held) for zone, held in zip(self.zones, self.pattern, strict=True))
