"""The audit of one call: every ATen operator dispatched is counted, every allocation guarded and poisoned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from kgb_core.worker.guard import Guarded, Poison

_ALLOCATIONS = frozenset(
    """empty empty_like empty_strided new_empty new_empty_strided empty_permuted zeros zeros_like new_zeros
    ones
    ones_like new_ones full full_like new_full""".split()
)


class Audit(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode to run a candidate's call in.

    Args:
        poison: where the contents of uninitialised memory come from.
    """

    def __init__(self, poison: Poison) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operators: Counter[str] = Counter()
        self.kernels: list[str] = []
        self._poison = poison
        self._quiet = False
        self._guarded: list[Guarded] = []

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Spare each worker the second that importing torch's compiler takes; nothing here is compiled."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if self._quiet:
            return result
        name = func._schema.name
        self.operators[name] += 1
        if name.removeprefix("aten::") in _ALLOCATIONS and type(result) is torch.Tensor:
            return self._guard(result, keep="empty" not in name)
        return result

    def launched(self, kernel: str) -> None:
        """Note a Triton launch."""
        self.kernels.append(kernel)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Within it, nothing is counted: the harness or the interpreter is at work."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def broken_guards(self) -> list[str]:
        """Allocations written outside their bounds, described."""
        return [guarded.name for guarded in self._guarded if guarded.broken()]

    def _guard(self, tensor: torch.Tensor, keep: bool) -> torch.Tensor:
        elsewhere = tensor.device.type != self._poison.device.type
        if elsewhere or tensor.layout is not torch.strided or not tensor.numel():
            return tensor
        label = f"allocation {len(self._guarded)} {tuple(tensor.shape)}"
        guarded = Guarded.around(tensor, label, self._poison, keep=keep)
        self._guarded.append(guarded)
        return guarded.tensor
