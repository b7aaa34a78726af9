"""Discovery through NVML, the driver's library: creates no context, and does without any optional fact."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kgb_backend_nvidia.cards import NO_INSTANCE, PROHIBITED, Card, instance
from kgb_backend_nvidia.reading import Reading

SOURCE = "NVML"


def read(library: Any = None) -> Reading:
    """Ask NVML for every card.

    Args:
        library: the module `pynvml`; imported when not given.
    """
    if library is None:
        try:
            library = importlib.import_module("pynvml")
        except ImportError as error:
            return Reading(SOURCE, problem=f"{error}: pip install nvidia-ml-py")
    try:
        library.nvmlInit()
    except library.NVMLError as error:
        return Reading(SOURCE, problem=f"libnvidia-ml.so.1: {error}")
    try:
        return _Nvml(library).reading()
    finally:
        library.nvmlShutdown()


class _Nvml:
    """An initialised NVML.

    Args:
        library: the module `pynvml`.
    """

    def __init__(self, library: Any) -> None:
        self._library = library
        self._driver = _text(self._ask("nvmlSystemGetDriverVersion"))

    def reading(self) -> Reading:
        """Every card and the driver's versions."""
        try:
            count = self._library.nvmlDeviceGetCount()
        except self._library.NVMLError as error:
            return Reading(SOURCE, driver=self._driver, problem=str(error))
        cards = tuple(card for gpu in range(count) for card in self._cards(gpu))
        return Reading(SOURCE, cards=cards, driver=self._driver, cuda=self._cuda())

    def _ask(self, function: str, *arguments: Any) -> Any:
        """An optional fact: `None` where this driver, this card or this library doesn't have it."""
        with contextlib.suppress(self._library.NVMLError, AttributeError):
            return getattr(self._library, function)(*arguments)
        return None

    def _cuda(self) -> str | None:
        number = self._ask("nvmlSystemGetCudaDriverVersion")
        return f"{number // 1000}.{number % 1000 // 10}" if number else None

    def _cards(self, gpu: int) -> Iterator[Card]:
        try:
            handle = self._library.nvmlDeviceGetHandleByIndex(gpu)
        except self._library.NVMLError as error:
            yield Card(gpu, f"NVIDIA GPU {gpu}", driver=self._driver, problem=str(error))
            return
        card = self._card(gpu, handle)
        if not self._mig_enabled(handle):
            yield card
            return
        instances = list(self._instances(card, handle))
        yield from instances or [replace(card, problem=NO_INSTANCE)]

    def _card(self, gpu: int, handle: Any) -> Card:
        pci = self._ask("nvmlDeviceGetPciInfo", handle)
        capability = self._ask("nvmlDeviceGetCudaComputeCapability", handle)
        return Card(
            gpu,
            name=_text(self._ask("nvmlDeviceGetName", handle)) or f"NVIDIA GPU {gpu}",
            uuid=_text(self._ask("nvmlDeviceGetUUID", handle)),
            pci_vendor=_field(pci, "pciDeviceId", lambda number: number & 0xFFFF),
            pci_bus_id=_field(pci, "busId", _text),
            memory_bytes=_field(self._ask("nvmlDeviceGetMemoryInfo", handle), "total", int),
            capability=".".join(map(str, capability)) if capability else None,
            cores=self._ask("nvmlDeviceGetNumGpuCores", handle),
            driver=self._driver,
            problem=self._problem(handle),
        )

    def _problem(self, handle: Any) -> str | None:
        prohibited = getattr(self._library, "NVML_COMPUTEMODE_PROHIBITED", 2)
        return PROHIBITED if self._ask("nvmlDeviceGetComputeMode", handle) == prohibited else None

    def _mig_enabled(self, handle: Any) -> bool:
        mode = self._ask("nvmlDeviceGetMigMode", handle)
        return bool(mode and mode[0])

    def _instances(self, card: Card, handle: Any) -> Iterator[Card]:
        for place in range(self._ask("nvmlDeviceGetMaxMigDeviceCount", handle) or 0):
            found = self._ask("nvmlDeviceGetMigDeviceHandleByIndex", handle, place)
            uuid = _text(self._ask("nvmlDeviceGetUUID", found)) if found else None
            if uuid is None:
                continue
            name = _text(self._ask("nvmlDeviceGetName", found)) or ""
            memory = _field(self._ask("nvmlDeviceGetMemoryInfo", found), "total", int)
            yield instance(card, name.removeprefix(card.name).strip() or "MIG", uuid, memory)


def _text(value: Any) -> str | None:
    """A string of NVML, which older bindings give as bytes."""
    if value is None:
        return None
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _field(record: Any, name: str, convert: Callable[[Any], Any]) -> Any:
    value = getattr(record, name, None)
    return None if value is None else convert(value)
