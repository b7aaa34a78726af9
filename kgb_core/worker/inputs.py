"""The inputs of one call on the worker's device: guarded, with a pristine copy to tell what changed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from kgb_core.operators.draw import draw_case
from kgb_core.worker.buffers import map_bytes, storage_bytes, unpack
from kgb_core.worker.far import FarGuarded
from kgb_core.worker.guard import Guarded, Poison
from kgb_core.worker.protocol import CallRequest, GeneratorValue, NamedValue, TensorsValue, TensorValue, Value


@dataclass(frozen=True)
class Region:
    """One input storage: where it lies, and what it held before the call."""

    guarded: Guarded | FarGuarded
    pristine: torch.Tensor

    @property
    def storage(self) -> torch.Tensor:
        """What strides and offsets of the arguments refer to, as uint8."""
        return self.guarded.storage if isinstance(self.guarded, FarGuarded) else self.guarded.tensor

    @property
    def size(self) -> int:
        """Bytes that were written."""
        return self.pristine.numel() * self.pristine.element_size()

    def changed(self) -> bool:
        """True when a byte of the storage has changed."""
        return not torch.equal(self.guarded.tensor, self.pristine)


@dataclass(frozen=True)
class Inputs:
    """The arguments of one call by name, and the storages behind them.

    Attributes:
        values: what the candidate gets.
        positional: how many of them go by position.
        regions: the storages, in the order in which arguments first use them.
        owner: for each storage, the name of the first argument that uses it.
    """

    values: dict[str, Any]
    positional: int
    regions: list[Region]
    owner: list[str]

    @property
    def args(self) -> list[Any]:
        """Values passed by position."""
        return list(self.values.values())[: self.positional]

    @property
    def kwargs(self) -> dict[str, Any]:
        """Values passed by name."""
        return dict(list(self.values.items())[self.positional :])

    def alias_of(self, tensor: torch.Tensor) -> str | None:
        """The argument whose memory a tensor shares."""
        if not tensor.untyped_storage().nbytes():
            return None
        address = tensor.untyped_storage().data_ptr()
        for path, value in self._tensors():
            if value.untyped_storage().data_ptr() == address:
                return path
        return None

    def mutated(self, allowed: tuple[str, ...]) -> list[str]:
        """Arguments whose storage changed and must not have."""
        return [
            name
            for name, region in zip(self.owner, self.regions, strict=True)
            if name.split("[")[0] not in allowed and region.changed()
        ]

    def broken_guards(self) -> list[str]:
        """Input storages written outside their bounds."""
        return [region.guarded.name for region in self.regions if region.guarded.broken()]

    def _tensors(self) -> list[tuple[str, torch.Tensor]]:
        found: list[tuple[str, torch.Tensor]] = []
        for name, value in self.values.items():
            if isinstance(value, torch.Tensor):
                found.append((name, value))
            elif isinstance(value, list):
                found.extend((f"{name}[{i}]", v) for i, v in enumerate(value) if isinstance(v, torch.Tensor))
        return found


def receive(
    request: CallRequest, descriptors: list[int], device: torch.device, before: Inputs | None
) -> Inputs:
    """Lay out the inputs that came with a request, or draw them on the device.

    Args:
        request: the call.
        descriptors: its buffers.
        device: where they go.
        before: the inputs of the call before, whose memory is used again where `request.reuse` asks for it.
    """
    poison = Poison(request.poison, device)
    if request.case is not None:
        return _drawn(request, device, poison, before)
    metas = {meta.buffer: meta for _, meta in _tensor_values(request.arguments)}
    reusable = before.regions if before and request.reuse else []
    regions = [
        _received(metas[index], descriptor, poison, reusable) for index, descriptor in enumerate(descriptors)
    ]
    storages = [region.storage for region in regions]
    values = {
        named.name: before.values[named.name]
        if before and _goes_on(named.value)
        else unpack(named.value, storages, device)
        for named in request.arguments
    }
    return Inputs(values, request.positional, regions, _owners(request.arguments, len(regions)))


def _received(meta: TensorValue, descriptor: int, poison: Poison, reusable: list[Region]) -> Region:
    name = f"input {meta.buffer}"
    if meta.far:
        return _far_region(meta, descriptor, name, poison, reusable)
    data = map_bytes(descriptor, meta.storage_bytes)
    return _region(data, name, poison, _same_size(reusable, meta.buffer, meta.storage_bytes))


def _far_region(
    meta: TensorValue, descriptor: int, name: str, poison: Poison, reusable: list[Region]
) -> Region:
    """The elements of a far input at their places."""
    old = _same_size(reusable, meta.buffer, meta.storage_bytes)
    reused = old.guarded if old else None
    guarded = reused if isinstance(reused, FarGuarded) else FarGuarded.laid_out(meta, name, poison)
    elements = map_bytes(descriptor, math.prod(meta.shape) * meta.dtype.itemsize)
    guarded.tensor.copy_(elements.view(guarded.tensor.dtype).view(meta.shape))
    return Region(guarded, guarded.tensor.contiguous())


def _drawn(request: CallRequest, device: torch.device, poison: Poison, before: Inputs | None) -> Inputs:
    assert request.case is not None
    drawn = draw_case(request.case, request.seed, str(device))
    reusable = before.regions if before and request.reuse else []
    regions: list[Region] = []
    owner: list[str] = []
    values: dict[str, Any] = {}
    for name, value in drawn.items():
        items = value if isinstance(value, list) else [value]
        placed = []
        for item in items:
            if isinstance(item, torch.Tensor):
                old = _same_size(reusable, len(regions), item.untyped_storage().nbytes())
                regions.append(_region(storage_bytes(item), f"input {len(regions)}", poison, old))
                owner.append(name)
                item = _moved(item, regions[-1].guarded.tensor)
            placed.append(item)
        values[name] = placed if isinstance(value, list) else placed[0]
    return Inputs(values, request.positional, regions, owner)


def _moved(tensor: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    start = data.storage_offset() // tensor.element_size() + tensor.storage_offset()
    empty = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return empty.set_(data.untyped_storage(), start, tensor.size(), tensor.stride())


def _region(data: torch.Tensor, name: str, poison: Poison, old: Region | None) -> Region:
    reused = old.guarded if old else None
    guarded = reused if isinstance(reused, Guarded) else Guarded.storage(data.numel(), name, poison)
    guarded.tensor.copy_(data)
    return Region(guarded, guarded.tensor.clone())


def _same_size(regions: list[Region], index: int, size: int) -> Region | None:
    if index < len(regions) and regions[index].storage.numel() == size:
        return regions[index]
    return None


def _goes_on(value: Value) -> bool:
    return isinstance(value, GeneratorValue) and value.goes_on


def _tensor_values(arguments: tuple[NamedValue, ...]) -> list[tuple[str, TensorValue]]:
    found: list[tuple[str, TensorValue]] = []
    for named in arguments:
        if isinstance(named.value, TensorValue):
            found.append((named.name, named.value))
        elif isinstance(named.value, TensorsValue):
            found.extend((f"{named.name}[{i}]", item) for i, item in enumerate(named.value.items) if item)
    return found


def _owners(arguments: tuple[NamedValue, ...], count: int) -> list[str]:
    owner: dict[int, str] = {}
    for name, value in _tensor_values(arguments):
        owner.setdefault(value.buffer, name)
    return [owner[index] for index in range(count)]
