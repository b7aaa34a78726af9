"""aten::_local_scalar_dense: the value of a one-element tensor as a Python number, complex ones included.

A kernel writes the element, widened without loss, straight into host memory that the device can address
(pinned); the host waits for the stream and reads it there. That saves the separate copy from device memory.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def _read_kernel(host, source, PARTS: tl.constexpr):
    at = tl.arange(0, PARTS)
    tl.store(host + at, tl.load(source + at).to(host.dtype.element_ty))


def _local_scalar_dense(self: torch.Tensor) -> complex:
    """The only element of a tensor.

    Args:
        self: one element, any shape.

    Returns:
        A float, int, bool or complex.

    Raises:
        RuntimeError: not exactly one element.
    """
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
    parts = 2 if self.dtype.is_complex else 1
    on_host = self.device.type == "cpu"
    host = torch.empty(parts, dtype=_wide(self.dtype), device="cpu", pin_memory=not on_host)
    _read_kernel[(1,)](host, _readable(self), PARTS=parts)
    if not on_host:
        torch.get_device_module(self.device).current_stream(self.device).synchronize()
    numbers = host.numpy().tolist()  # numpy sees the same memory: no tensor operator is involved
    if self.dtype.is_complex:
        return complex(*numbers)
    number: float = numbers[0]
    return bool(number) if self.dtype is torch.bool else number


def _readable(x: torch.Tensor) -> torch.Tensor:
    """The same element in types that a kernel takes: a complex number as two real ones."""
    if x.dtype.is_complex:
        return torch.view_as_real(x)
    return x.view(torch.uint8) if x.dtype is torch.bool else x


def _wide(dtype: torch.dtype) -> torch.dtype:
    """A type that holds every value of `dtype`, or of its parts, and that numpy can read."""
    if dtype in (torch.float64, torch.complex128, torch.complex64):
        return torch.float64
    return torch.float32 if dtype.is_floating_point else torch.int64
