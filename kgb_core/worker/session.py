"""What a candidate worker does with each request: load, call, hand over what was left behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from kgb_core.models.device import Device
from kgb_core.models.timer import Timer
from kgb_core.plugins.backend import Backend
from kgb_core.worker.audit import Audit
from kgb_core.worker.buffers import Packer
from kgb_core.worker.candidate import Refused, failure, fits, load
from kgb_core.worker.far import FarGuarded
from kgb_core.worker.guard import Poison
from kgb_core.worker.inputs import Inputs, receive
from kgb_core.worker.launches import watch_launches
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    Failed,
    ForeignValue,
    Loaded,
    LoadRequest,
    NamedValue,
    Observations,
    OutputValue,
    Stage,
    TensorValue,
    Value,
)


@dataclass(frozen=True)
class _Last:
    """What the last call left behind."""

    inputs: Inputs
    returned: Any
    mutates: tuple[str, ...]


class CandidateSession:
    """One candidate in one worker.

    Args:
        backend: the plugin whose device this is.
        device: the device.
    """

    def __init__(self, backend: Backend, device: Device) -> None:
        self._backend = backend
        self._device = device
        self._torch_device = torch.device(backend.info.torch_device_type)
        self._timer: Timer = backend.make_timer(device)
        self._entry: Callable[..., Any] | None = None
        self._path = Path()
        self._last: _Last | None = None

    def load(self, request: LoadRequest) -> Loaded | Failed:
        """Import the candidate."""
        self._path = Path(request.path)
        try:
            self._entry = load(request, self._torch_device.type)
        except Refused as refused:
            return refused.reply
        return Loaded()

    def call(self, request: CallRequest, descriptors: list[int]) -> Called | Failed:
        """Call the candidate once and observe it."""
        assert self._entry is not None, "the conductor loads before it calls"
        before = self._last.inputs if self._last else None
        self._last = None
        inputs = receive(request, descriptors, self._torch_device, before)
        poison = Poison(request.poison, self._torch_device)
        audit = Audit(poison) if request.audit else None
        if request.default_seed is not None:
            torch.manual_seed(request.default_seed)
        try:
            fits(self._entry, inputs.args, inputs.kwargs)
            return self._observed(request, inputs, poison, audit)
        except Refused as refused:
            return refused.reply
        except BaseException as error:  # whatever a candidate raises is its record, not the worker's end
            return failure(Stage.CALL, error, self._path)

    def _observed(self, request: CallRequest, inputs: Inputs, poison: Poison, audit: Audit | None) -> Called:
        poison.free_memory(_largest(inputs))
        self._backend.synchronize(self._device)
        self._timer.prepare()
        with _watched(audit):
            began = time.perf_counter_ns()
            self._timer.start()
            returned = self._entry(*inputs.args, **inputs.kwargs)  # type: ignore[misc]
            self._timer.stop()
            call_ns = time.perf_counter_ns() - began
        device_ns = self._timer.elapsed_ns()
        self._backend.synchronize(self._device)
        self._last = _Last(inputs, returned, request.mutates)
        return Called(
            observations=self._observations(request, inputs, audit),
            device_ns=device_ns,
            call_ns=call_ns,
            timer=self._timer.name,
            method=self._timer.method,
        )

    def _observations(self, request: CallRequest, inputs: Inputs, audit: Audit | None) -> Observations:
        guards = inputs.broken_guards() + (audit.broken_guards() if audit else [])
        return Observations(
            launches=len(audit.kernels) if audit else 0,
            kernels=tuple(dict.fromkeys(audit.kernels)) if audit else (),
            aten=dict(audit.operators) if audit else {},
            mutated=tuple(inputs.mutated(request.mutates)),
            guards=tuple(guards),
        )

    def collect(self, packer: Packer) -> Collected | Failed:
        """Encode what the last call left behind."""
        assert self._last is not None, "the conductor calls before it collects"
        try:
            return self._collected(self._last, packer)
        except BaseException as error:  # an output may be any object, and reading it may raise
            return failure(Stage.OUTPUT, error, self._path)

    def _collected(self, last: _Last, packer: Packer) -> Collected:
        is_sequence = isinstance(last.returned, (tuple, list))
        items = list(last.returned) if is_sequence else [last.returned]
        return Collected(
            outputs=tuple(self._output(item, last.inputs, packer) for item in items),
            is_sequence=is_sequence,
            mutated=tuple(
                NamedValue(name=name, value=_whole(last.inputs.values[name], last.inputs, packer))
                for name in last.mutates
            ),
        )

    def _output(self, item: Any, inputs: Inputs, packer: Packer) -> OutputValue:
        if type(item) is not torch.Tensor:
            return OutputValue(value=packer.value(item))
        if item.device.type != self._torch_device.type:
            return OutputValue(value=ForeignValue(type=f"a tensor on {item.device.type}"))
        return OutputValue(value=_row_major(item, packer), alias=inputs.alias_of(item))


def _row_major(item: torch.Tensor, packer: Packer) -> Value:
    plain = item.detach().resolve_conj().resolve_neg()
    sent = packer.tensor(plain.contiguous().clone())
    return sent.model_copy(update={"stride": tuple(item.stride()), "offset": item.storage_offset()})


def _whole(item: torch.Tensor, inputs: Inputs, packer: Packer) -> Value:
    """An argument with its whole storage, guards cut off."""
    region = next(r for r in inputs.regions if _shares(r.guarded.tensor, item))
    if isinstance(region.guarded, FarGuarded):
        return _rows(item, region.guarded, packer)
    start = region.guarded.tensor.storage_offset() // item.element_size()
    sent = packer.tensor(region.guarded.tensor.clone())
    return TensorValue(
        dtype=packer.dtype_of(item),
        shape=tuple(item.shape),
        stride=tuple(item.stride()),
        offset=int(item.storage_offset() - start),
        storage_bytes=sent.storage_bytes,
        buffer=sent.buffer,
    )


def _rows(item: torch.Tensor, guarded: FarGuarded, packer: Packer) -> Value:
    """A far argument: its elements, whose surroundings were looked at here."""
    sent = packer.tensor(item.contiguous())
    start = guarded.storage.storage_offset() // item.element_size()
    places = {"stride": tuple(item.stride()), "offset": int(item.storage_offset() - start), "far": True}
    return sent.model_copy(update={**places, "storage_bytes": guarded.storage.numel()})


def _shares(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def _largest(inputs: Inputs) -> int:
    return max((region.size for region in inputs.regions), default=0) // 4


@contextmanager
def _watched(audit: Audit | None) -> Iterator[None]:
    if audit is None:
        yield
        return
    with watch_launches(audit.launched, audit.quiet), audit:
        yield
