"""aten::item: the value of a one-element tensor as a Python number.

A kernel writes the element, widened without loss, straight into host memory that the device can address
(pinned); the host waits for the stream and reads it there. That saves the separate copy from device memory.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def _item_kernel(host, source):
    tl.store(host, tl.load(source).to(host.dtype.element_ty))


def item(self: torch.Tensor) -> float:
    """The only element of a tensor.

    Args:
        self: one element, any shape, real numbers or bool.

    Returns:
        A float, int or bool.

    Raises:
        RuntimeError: not exactly one element.
    """
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
    on_host = self.device.type == "cpu"
    host = torch.empty(1, dtype=_wide(self.dtype), device="cpu", pin_memory=not on_host)
    source = self.view(torch.uint8) if self.dtype is torch.bool else self
    _item_kernel[(1,)](host, source)
    if not on_host:
        torch.get_device_module(self.device).current_stream(self.device).synchronize()
    number: float = host.numpy()[0].item()  # numpy sees the same memory: no tensor operator is involved
    return bool(number) if self.dtype is torch.bool else number


def _wide(dtype: torch.dtype) -> torch.dtype:
    """A type that holds every value of `dtype` and that numpy can read; bfloat16 it can't."""
    if dtype is torch.float64:
        return dtype
    return torch.float32 if dtype.is_floating_point else torch.int64
