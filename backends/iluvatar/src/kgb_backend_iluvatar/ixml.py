"""Discovery through libixml.so, CoreX's management library, which has NVML's functions: asked first.

Called through ctypes; there is no binding of it to install. Any function may be missing.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

from kgb_backend_iluvatar.cards import PCI_VENDOR, Card, each_once
from kgb_backend_iluvatar.machine import Machine
from kgb_backend_iluvatar.reading import Reading
from kgb_backend_iluvatar.text import word

SOURCE = "ixML"
LIBRARY = "libixml.so"
_BUS_ID = re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]")
_TEXT_BYTES = 96
_MOST_CARDS = 1024
_HEALTH = {
    0x1: "system hub error",
    0x2: "memory controller error",
    0x10: "ECC error",
    0x20: "memory error",
    0x40: "PCIe error",
}
"""Bits of ixmlDeviceGetHealth. Source: gpustack-runtime, detector/pyixml."""


class _PciInfo(ctypes.Structure):
    """NVML's record of a place on the bus; its older form ends before the last field."""

    _fields_ = [
        ("short_bus_id", ctypes.c_char * 16),
        ("domain", ctypes.c_uint),
        ("bus", ctypes.c_uint),
        ("device", ctypes.c_uint),
        ("device_and_vendor", ctypes.c_uint),
        ("subsystem", ctypes.c_uint),
        ("bus_id", ctypes.c_char * 32),
    ]


class _Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


class _NewMemory(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint),
        ("total", ctypes.c_ulonglong),
        ("reserved", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    ]


_NEW_MEMORY_VERSION = ctypes.sizeof(_NewMemory) | 2 << 24
"""NVML's way to say which record it is given."""


def read(machine: Machine, load: Callable[[str], Any] = ctypes.CDLL) -> Reading:
    """Ask ixML for every card.

    Args:
        machine: where CoreX may be.
        load: opens a library.
    """
    problems = []
    for place in machine.libraries(LIBRARY):
        try:
            library = load(place)
        except OSError as error:
            problems.append(str(error))
            continue
        if _function(library, "nvmlInit") is not None:
            return _Ixml(library).reading()
        # The UPnP SDK has an XML parser of that name.
        problems.append(f"{place} is another library of that name, without nvmlInit")
    return Reading(SOURCE, problem="; ".join(dict.fromkeys(problems)))


def _function(library: Any, name: str) -> Any:
    """The newest version of a function that a library has; `None` without one.

    Args:
        library: the library.
        name: without a version; `nvmlInit` may be there as `nvmlInit_v2`.
    """
    versions = (getattr(library, f"{name}{suffix}", None) for suffix in ("_v3", "_v2", ""))
    return next((function for function in versions if function is not None), None)


class _Ixml:
    """A loaded ixML.

    Args:
        library: the library.
    """

    def __init__(self, library: Any) -> None:
        self._library = library

    def reading(self) -> Reading:
        """Every card and the versions."""
        begun = self._call("nvmlInit")
        if begun != 0:
            return Reading(SOURCE, problem=f"{LIBRARY}: {self._words(begun)}")
        try:
            return self._cards()
        finally:
            self._call("nvmlShutdown")

    def _cards(self) -> Reading:
        count = ctypes.c_uint()
        answered = self._call("nvmlDeviceGetCount", ctypes.byref(count))
        if answered != 0:
            return Reading(SOURCE, problem=f"{LIBRARY}: {self._words(answered)}")
        driver = self._text("nvmlSystemGetDriverVersion")
        cards = [self._card(index, driver) for index in range(min(count.value, _MOST_CARDS))]
        problem = "" if cards else f"{LIBRARY} lists no GPU"
        ixml = self._text("nvmlSystemGetNVMLVersion")
        return Reading(SOURCE, each_once(cards), driver, ixml, self._cuda(), problem=problem)

    def _card(self, index: int, driver: str | None) -> Card:
        handle = ctypes.c_void_p()
        answered = self._call("nvmlDeviceGetHandleByIndex", ctypes.c_uint(index), ctypes.byref(handle))
        if answered != 0:
            return Card(index, pci_vendor=PCI_VENDOR, driver=driver, problem=self._words(answered))
        pci = _PciInfo()
        self._call("nvmlDeviceGetPciInfo", handle, ctypes.byref(pci))
        return Card(
            index,
            name=self._text("nvmlDeviceGetName", handle) or "",
            uuid=self._text("nvmlDeviceGetUUID", handle),
            pci_vendor=pci.device_and_vendor & 0xFFFF or PCI_VENDOR,
            pci_bus_id=_bus_id(pci),
            memory_bytes=self._memory(handle),
            capability=self._capability(handle),
            driver=driver,
            problem=self._health(handle),
        )

    def _memory(self, handle: ctypes.c_void_p) -> int | None:
        """Total memory: by the older function, whose record says no version, else by the newer one."""
        old, new = _Memory(), _NewMemory(version=_NEW_MEMORY_VERSION)
        for name, record in (("nvmlDeviceGetMemoryInfo", old), ("nvmlDeviceGetMemoryInfo_v2", new)):
            function = getattr(self._library, name, None)
            if function is not None and function(handle, ctypes.byref(record)) == 0 and record.total:
                return int(record.total)
        return None

    def _capability(self, handle: ctypes.c_void_p) -> str | None:
        major, minor = ctypes.c_int(), ctypes.c_int()
        places = (ctypes.byref(major), ctypes.byref(minor))
        answered = self._call("nvmlDeviceGetCudaComputeCapability", handle, *places)
        return f"{major.value}.{minor.value}" if answered == 0 else None

    def _health(self, handle: ctypes.c_void_p) -> str | None:
        bits = ctypes.c_ulonglong()
        if self._call("ixmlDeviceGetHealth", handle, ctypes.byref(bits)) != 0 or not bits.value:
            return None
        words = [told for bit, told in _HEALTH.items() if bits.value & bit]
        return f"ixML health {bits.value:#x}: {', '.join(words) or 'unknown'}"

    def _cuda(self) -> str | None:
        number = ctypes.c_int()
        if self._call("nvmlSystemGetCudaDriverVersion", ctypes.byref(number)) != 0 or number.value <= 0:
            return None
        return f"{number.value // 1000}.{number.value % 1000 // 10}"

    def _text(self, name: str, *arguments: Any) -> str | None:
        buffer = ctypes.create_string_buffer(_TEXT_BYTES)
        answered = self._call(name, *arguments, buffer, ctypes.c_uint(_TEXT_BYTES))
        return _decoded(buffer.value) if answered == 0 else None

    def _call(self, name: str, *arguments: Any) -> int | None:
        """NVML's code, 0 for success; `None` where the library has no such function."""
        function = _function(self._library, name)
        return None if function is None else int(function(*arguments))

    def _words(self, code: int | None) -> str:
        function = _function(self._library, "nvmlErrorString")
        if function is None or code is None:
            return "a function that is needed is missing" if code is None else f"error {code}"
        function.restype = ctypes.c_char_p
        return _decoded(function(ctypes.c_int(code)) or b"") or f"error {code}"


def _decoded(value: bytes) -> str | None:
    return word(value.decode(errors="replace"))


def _bus_id(pci: _PciInfo) -> str | None:
    """The place on the bus; in the older record the long form is something else."""
    texts = (_decoded(pci.bus_id), _decoded(pci.short_bus_id))
    return next((text for text in texts if text and _BUS_ID.fullmatch(text)), None)
