"""Tensors of the host that look like the chip's to host code.

Names in the source stay as they are: `backend == "cuda"` is a question, and `device="cuda"` is a place.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

_PLACE = re.compile(r"^(cuda|npu|musa|xpu|mlu|hip|maca)(:\d+)?$")


def chip_device(device_type: str) -> Any:
    """The first device of a type; the host where this build of torch has no such type.

    Args:
        device_type: as torch calls it.
    """
    import torch

    try:
        return torch.device(device_type, 0)
    except RuntimeError:  # a type that the vendor's extension would have registered
        return torch.device("cpu")


def on_chip(device_type: str) -> AbstractContextManager[Any]:
    """A block in which tensors of the host say that they lie on a device of this type."""
    import torch
    from torch.overrides import TorchFunctionMode

    device = chip_device(device_type)
    answers = _answers(device)
    moves = {torch.Tensor.cuda, getattr(torch.Tensor, device.type, torch.Tensor.cpu)}

    class OnChip(TorchFunctionMode):
        """Answers for the chip, and makes tensors on the host."""

        def __torch_function__(
            self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if function in answers:
                return answers[function]
            if function is torch.device:
                return function(*args, **(kwargs or {}))
            if function in moves:
                return args[0]
            named = {key: _on_host(value) for key, value in (kwargs or {}).items()}
            if named.get("pin_memory"):
                named["pin_memory"] = False
            return function(*(_on_host(arg) for arg in args), **named)

    return OnChip()


def _answers(device: Any) -> dict[Any, object]:
    """What tensors answer, by the getter that torch calls."""
    import torch

    getters = {"device": device, f"is_{device.type}": True, "is_cpu": device.type == "cpu"}
    return {getattr(torch.Tensor, name).__get__: value for name, value in getters.items()}


def _on_host(value: Any) -> Any:
    import torch

    if isinstance(value, torch.device) and value.type not in ("cpu", "meta"):
        return torch.device("cpu")
    if isinstance(value, str) and _PLACE.match(value):
        return "cpu"
    return value
