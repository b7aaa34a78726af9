"""Guard zones: bytes on both sides of a buffer that nobody may touch, and poison for memory nobody wrote."""

from __future__ import annotations

from dataclasses import dataclass

import torch

GUARD_BYTES = 4096
"""On each side; a multiple of every alignment that Triton specialises on."""


class Poison:
    """Ordinary random contents, different in every call, so that an unwritten element is seen.

    Args:
        seed: of this call.
        device: where the contents are drawn.
    """

    def __init__(self, seed: int, device: torch.device) -> None:
        self.device = device
        self._generator = torch.Generator(device).manual_seed(seed)

    def fill(self, tensor: torch.Tensor) -> None:
        """Overwrite a tensor with ordinary values of its dtype."""
        if tensor.dtype is torch.bool:
            tensor.copy_(torch.randint(0, 2, tensor.shape, generator=self._generator, device=tensor.device))
        elif tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            drawn = torch.randn(tensor.shape, generator=self._generator, device=tensor.device)
            tensor.copy_(drawn)
        else:
            tensor.copy_(torch.randint(0, 100, tensor.shape, generator=self._generator, device=tensor.device))

    def pattern(self, count: int) -> torch.Tensor:
        """Random bytes for guard zones."""
        return torch.randint(
            0, 256, (count,), generator=self._generator, device=self._generator.device, dtype=torch.uint8
        )

    def free_memory(self, count: int) -> None:
        """Leave `count` float32 ordinary values behind in memory that is free again."""
        block = torch.empty(count, dtype=torch.float32, device=self._generator.device)
        self.fill(block)


@dataclass(frozen=True)
class Guarded:
    """A tensor inside a larger storage whose other bytes are known.

    Attributes:
        name: what to call it in a finding.
        tensor: the view that the candidate gets.
        whole: the storage, guards included, as uint8.
        pattern: what the guards must still hold: both zones, one after the other.
    """

    name: str
    tensor: torch.Tensor
    whole: torch.Tensor
    pattern: torch.Tensor

    @classmethod
    def around(cls, like: torch.Tensor, name: str, poison: Poison, keep: bool) -> Guarded:
        """A guarded tensor of the same dtype, size, strides and device.

        Args:
            like: its model.
            name: what to call it.
            poison: contents of guards and, unless `keep`, of the tensor.
            keep: copy the model's contents.
        """
        span = _span(like)
        guarded = cls.storage(span * like.element_size(), name, poison)
        storage, start = guarded.whole.untyped_storage(), GUARD_BYTES // like.element_size()
        view = torch.empty(0, dtype=like.dtype, device=like.device)
        view.set_(storage, start, like.size(), like.stride())
        if keep:
            view.copy_(like)
        else:
            poison.fill(
                torch.empty(0, dtype=like.dtype, device=like.device).set_(storage, start, (span,), (1,))
            )
        return cls(name, view, guarded.whole, guarded.pattern)

    @classmethod
    def storage(cls, size: int, name: str, poison: Poison) -> Guarded:
        """`size` guarded bytes as a uint8 tensor at the start of a storage of its own, contents undefined.

        A candidate may address an input from the start of its storage, as `as_strided` does.
        """
        pattern = poison.pattern(2 * GUARD_BYTES)
        whole = torch.empty(size + 2 * GUARD_BYTES, dtype=torch.uint8, device=pattern.device)
        whole[:GUARD_BYTES] = pattern[:GUARD_BYTES]
        whole[GUARD_BYTES + size :] = pattern[GUARD_BYTES:]
        inner = whole.untyped_storage()[GUARD_BYTES : GUARD_BYTES + size]
        tensor = torch.empty(0, dtype=torch.uint8, device=whole.device).set_(inner, 0, (size,), (1,))
        return cls(name, tensor, whole, pattern)

    def broken(self) -> bool:
        """True when a byte outside the tensor's span has changed."""
        low, high = self.whole[:GUARD_BYTES], self.whole[-GUARD_BYTES:]
        return not torch.equal(torch.cat([low, high]), self.pattern)


def _span(tensor: torch.Tensor) -> int:
    """Elements from the first to the last of a tensor that is not empty."""
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
