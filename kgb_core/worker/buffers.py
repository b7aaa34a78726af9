"""Tensors as bytes in anonymous shared memory: any dtype, any layout, no file that could be left behind.

A storage travels as one memory descriptor. The sender seals what it sends, so the receiver's bytes can't
change under its hands; where the system has no seals the receiver's copy does the same.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import Any

import torch

from kgb_core.models.case import MemoryFormat
from kgb_core.models.dtypes import DType
from kgb_core.operators.draw import torch_dtype
from kgb_core.operators.far import is_far
from kgb_core.worker.protocol import (
    ComplexValue,
    DeviceValue,
    DTypeValue,
    ForeignValue,
    GeneratorValue,
    MemoryFormatValue,
    PlainValue,
    TensorsValue,
    TensorValue,
    Value,
)

_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


def share_bytes(data: torch.Tensor) -> int:
    """Put a contiguous uint8 CPU tensor into sealed shared memory.

    Returns:
        The descriptor; the caller owns it.
    """
    descriptor = os.memfd_create("kgb", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if data.numel():
            view: memoryview = data.numpy().data
            written = 0
            while written < len(view):
                written += os.write(descriptor, view[written : written + (1 << 30)])
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_bytes(descriptor: int, size: int) -> torch.Tensor:
    """Copy `size` bytes out of shared memory into a uint8 CPU tensor.

    Raises:
        ValueError: the memory is smaller than announced.
    """
    if os.fstat(descriptor).st_size < size:
        raise ValueError(f"buffer of {os.fstat(descriptor).st_size} bytes, {size} announced")
    data = torch.empty(size, dtype=torch.uint8)
    if not size:
        return data
    target: memoryview = data.numpy().data
    filled = 0
    while filled < size:
        got = os.preadv(descriptor, [target[filled : filled + (1 << 30)]], filled)
        if not got:
            raise ValueError("buffer ended early")
        filled += got
    return data


def map_bytes(descriptor: int, size: int) -> torch.Tensor:
    """A uint8 CPU tensor over shared memory, read-only in effect, without a copy."""
    if not size:
        return torch.empty(0, dtype=torch.uint8)
    mapping = mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY)
    return torch.frombuffer(mapping, dtype=torch.uint8)


class Packer:
    """Collects values for one message; tensors that share a storage share a buffer."""

    def __init__(self) -> None:
        self.descriptors: list[int] = []
        self._index: dict[int, int] = {}
        self._kept: list[torch.Tensor] = []  # an address names a storage only while that storage lives

    def value(self, item: Any) -> Value:
        """Encode an argument or output; what can't be encoded is told by its type only."""
        if type(item) is torch.Tensor:
            return self.tensor(item)
        if isinstance(item, list) and _lists_tensors(item):
            return TensorsValue(items=tuple(i if i is None else self.tensor(i) for i in item))
        return plain_value(item)

    def tensor(self, item: torch.Tensor) -> TensorValue:
        """Encode a tensor together with its whole storage; of a far one the elements only."""
        storage, far = item.untyped_storage(), is_far(item)
        key = storage.data_ptr() if storage.nbytes() else -len(self.descriptors) - 1
        if key not in self._index:
            self._index[key] = len(self.descriptors)
            self._kept.append(item)
            sent = item.contiguous() if far else item
            self.descriptors.append(share_bytes(storage_bytes(sent).cpu()))
        return TensorValue(
            dtype=self.dtype_of(item),
            shape=tuple(item.shape),
            stride=tuple(item.stride()),
            offset=int(item.storage_offset()),
            storage_bytes=storage.nbytes(),
            buffer=self._index[key],
            far=far,
        )

    def dtype_of(self, item: torch.Tensor) -> DType:
        """The dtype of a tensor, as a message states it."""
        return DType(str(item.dtype).removeprefix("torch."))

    def close(self) -> None:
        """Close this side's descriptors, after sending."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()
        self._kept.clear()


def _lists_tensors(items: list[Any]) -> bool:
    given = [item for item in items if item is not None]
    return bool(given) and all(type(item) is torch.Tensor for item in given)


def plain_value(item: Any) -> Value:
    """Encode anything that is not a tensor."""
    if type(item) is str:
        return PlainValue(text=item)
    if item is None or type(item) in (bool, int, float):
        return PlainValue(value=item)
    if type(item) is complex:
        return ComplexValue(real=item.real, imag=item.imag)
    if isinstance(item, torch.dtype):
        return DTypeValue(dtype=DType(str(item).removeprefix("torch.")))
    if isinstance(item, torch.memory_format):
        return MemoryFormatValue(format=MemoryFormat(str(item).removeprefix("torch.")))
    if isinstance(item, torch.device):
        return DeviceValue()
    if isinstance(item, torch.Generator):
        return GeneratorValue(seed=item.initial_seed())
    if isinstance(item, list) and all(type(i) in (bool, int, float, type(None)) for i in item):
        return PlainValue(items=tuple(item))
    return ForeignValue(type=f"{type(item).__module__}.{type(item).__qualname__}")


def _plain(value: PlainValue) -> Any:
    if value.items is not None:
        return list(value.items)
    return value.value if value.text is None else value.text


def storage_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The whole storage of a tensor as a uint8 view."""
    storage = tensor.untyped_storage()
    empty = torch.empty(0, dtype=torch.uint8, device=tensor.device)
    return empty.set_(storage, 0, (storage.nbytes(),), (1,))


def view_of(data: torch.Tensor, meta: TensorValue) -> torch.Tensor:
    """A tensor over raw bytes, laid out as `meta` says.

    Args:
        data: uint8, aligned, at least `meta.storage_bytes` long.

    Raises:
        ValueError: the layout does not fit into the bytes. `set_` would not mind: it would add some.
    """
    if not _fits(data.numel(), meta):
        raise ValueError(
            f"{meta.shape} by {meta.stride} from {meta.offset} does not fit {data.numel()} bytes"
        )
    empty = torch.empty(0, dtype=torch_dtype(meta.dtype), device=data.device)
    return empty.set_(
        data.untyped_storage(),
        data.storage_offset() // meta.dtype.itemsize + meta.offset,
        meta.shape,
        meta.stride,
    )


def _fits(size: int, meta: TensorValue) -> bool:
    if min((*meta.shape, *meta.stride, meta.offset)) < 0:
        return False
    last = sum((n - 1) * step for n, step in zip(meta.shape, meta.stride, strict=True))
    return 0 in meta.shape or (meta.offset + last + 1) * meta.dtype.itemsize <= size


def unpack(value: Value, storages: list[torch.Tensor], device: torch.device) -> Any:
    """Decode a value.

    Args:
        value: what was sent.
        storages: the message's buffers as uint8 tensors on `device`.
        device: the device under test, for device and generator arguments.
    """
    if isinstance(value, TensorValue):
        return view_of(storages[value.buffer], value)
    if isinstance(value, TensorsValue):
        return [item and view_of(storages[item.buffer], item) for item in value.items]
    if isinstance(value, PlainValue):
        return _plain(value)
    if isinstance(value, ComplexValue):
        return complex(value.real, value.imag)
    if isinstance(value, DTypeValue):
        return torch_dtype(value.dtype)
    if isinstance(value, MemoryFormatValue):
        return getattr(torch, value.format.value)
    if isinstance(value, DeviceValue):
        return device
    if isinstance(value, GeneratorValue):
        return torch.Generator(device).manual_seed(value.seed)
    return value.type
