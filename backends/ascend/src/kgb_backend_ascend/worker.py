"""What a worker on an NPU needs: one device, torch_npu loaded by us, fp32 that is fp32."""

from __future__ import annotations

import importlib
from typing import Any

from kgb_backend_ascend import stack
from kgb_backend_ascend.visibility import VARIABLE
from kgb_core.models import Device

AUTOLOAD_VARIABLE = "TORCH_DEVICE_BACKEND_AUTOLOAD"


def environment(device: Device) -> dict[str, str]:
    """The variables of a worker on a device.

    torch loads every device extension that is installed, and can't be imported if one of them fails, as
    torch_npu does without CANN's `set_env.sh`. So none is loaded by itself, and `prepare` imports the one
    that is needed, with its own error.
    """
    found = {VARIABLE: str(device.index), AUTOLOAD_VARIABLE: "0"}
    backend = stack.triton_backend()
    if backend is not None:
        found["TRITON_DEFAULT_BACKEND"] = backend
    return found


def prepare() -> None:
    """Give torch its `npu` device, and keep its fp32 products and convolutions from rounding to HF32.

    torch_npu's own default for convolutions is HF32, which is no fp32 to compare a kernel with.

    Raises:
        ImportError: torch_npu is not installed, or its libraries are not found.
    """
    importlib.import_module("torch_npu")
    npu: Any = importlib.import_module("torch").npu
    npu.matmul.allow_hf32 = False
    npu.conv.allow_hf32 = False
