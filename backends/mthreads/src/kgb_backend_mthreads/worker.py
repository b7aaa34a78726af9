"""What a worker on a MUSA device needs: one device, torch_musa, and the right one of Triton's back ends."""

from __future__ import annotations

import importlib

from kgb_backend_mthreads import stack
from kgb_backend_mthreads.visibility import VARIABLE
from kgb_core.models import Device

AUTOLOAD_VARIABLE = "TORCH_DEVICE_BACKEND_AUTOLOAD"


def environment(device: Device) -> dict[str, str]:
    """The variables of a worker on a device.

    torch loads every device extension that is installed, and can't be imported if one of them fails. So none
    is loaded by itself, and `prepare` imports the one that is needed, with its own error.
    """
    found = {VARIABLE: str(device.index), AUTOLOAD_VARIABLE: "0"}
    backend = stack.triton_backend()
    if backend is not None:
        found["TRITON_DEFAULT_BACKEND"] = backend
    return found


def prepare() -> None:
    """Give torch its `musa` device.

    Raises:
        ImportError: torch_musa is not installed, or its libraries are not found.
    """
    importlib.import_module("torch_musa")
