"""Discovery through DCMI, the driver's library: creates no context, and does without any optional fact.

Written after the reference of DCMI and its public header; checked with an imitation of the library, built by
a C compiler, only. Newer drivers that speak `dcmiv2_` alone are left to npu-smi.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from kgb_backend_ascend.cards import HEALTHY, Card, numbered
from kgb_backend_ascend.reading import Reading

SOURCE = "DCMI"
LIBRARIES = (
    "libdcmi.so",
    "/usr/local/dcmi/libdcmi.so",
    "/usr/local/Ascend/driver/lib64/driver/libdcmi.so",
)
"""Tried in order: by the loader, then where the driver's installer puts it."""
_MOST_CARDS = 64
_MOST_CHIPS = 16
_NAME = 32
_TEXT = 256
_SPARE = 256
"""Bytes that a structure has after what is known of it: a newer driver may write more."""
_HEALTH = {0: HEALTHY, 1: "Warning", 2: "Alarm", 3: "Critical", 0xFFFFFFFF: "UNKNOWN"}
"""DCMI's numbers in npu-smi's words."""


class _ChipInfo(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_char * _NAME),
        ("name", ctypes.c_char * _NAME),
        ("version", ctypes.c_char * _NAME),
        ("cores", ctypes.c_uint),
        ("npu_name", ctypes.c_char * _NAME),
        ("spare", ctypes.c_char * _SPARE),
    )


class _Memory(ctypes.Structure):
    """HBM and the other memory begin alike: the size in MB."""

    _fields_ = (("megabytes", ctypes.c_ulonglong), ("spare", ctypes.c_char * _SPARE))


class _Pcie(ctypes.Structure):
    _fields_ = (
        ("ids", ctypes.c_uint * 4),
        ("domain", ctypes.c_int),
        ("bus", ctypes.c_uint),
        ("device", ctypes.c_uint),
        ("function", ctypes.c_uint),
        ("spare", ctypes.c_char * _SPARE),
    )


def read(libraries: Sequence[str] = LIBRARIES) -> Reading:
    """Ask DCMI for every chip.

    Args:
        libraries: names or paths of the library, in the order of trying.
    """
    library = _loaded(libraries)
    if library is None:
        return Reading(SOURCE, problem="libdcmi.so not found")
    try:
        failed = library.dcmi_init()
        if failed:
            return Reading(SOURCE, problem=f"dcmi_init failed with {failed}")
        return _Dcmi(library).reading()
    except AttributeError as error:  # a library of that name without the function
        return Reading(SOURCE, problem=f"libdcmi.so: {error}")


def _loaded(libraries: Sequence[str]) -> Any:
    for name in libraries:
        try:
            return ctypes.CDLL(name)
        except OSError:  # not there, or what it needs isn't
            continue
    return None


class _Dcmi:
    """An initialised DCMI.

    Args:
        library: the loaded library.
    """

    def __init__(self, library: Any) -> None:
        self._library = library
        self._driver = self._driver_version()

    def reading(self) -> Reading:
        """Every chip and the driver's version."""
        count, ids = ctypes.c_int(), (ctypes.c_int * _MOST_CARDS)()
        failed = self._library.dcmi_get_card_list(ctypes.byref(count), ids, _MOST_CARDS)
        if failed:
            return Reading(SOURCE, driver=self._driver, problem=f"dcmi_get_card_list failed with {failed}")
        npus = ids[: max(0, min(count.value, _MOST_CARDS))]
        cards = numbered(card for npu in npus for card in self._cards(npu))
        return Reading(SOURCE, cards, self._driver)

    def _ask(self, function: str, *arguments: Any) -> bool:
        """Ask for an optional fact: False where this driver or this chip doesn't have it."""
        asked = getattr(self._library, function, None)
        return asked is not None and asked(*arguments) == 0

    def _driver_version(self) -> str | None:
        text = ctypes.create_string_buffer(_TEXT)
        if not self._ask("dcmi_get_driver_version", text, ctypes.c_uint(_TEXT)):
            return None
        return _text(text.value)

    def _cards(self, npu: int) -> Iterator[Card]:
        """The chips of a card; it also counts a controller and a processor, which come after them."""
        chips, other, another = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        found = (ctypes.byref(chips), ctypes.byref(other), ctypes.byref(another))
        if self._ask("dcmi_get_device_id_in_card", npu, *found):
            yield from (self._card(npu, chip) for chip in range(min(chips.value, _MOST_CHIPS)))

    def _card(self, npu: int, chip: int) -> Card:
        info = _ChipInfo()
        self._ask("dcmi_get_device_chip_info_v2", npu, chip, ctypes.byref(info))
        name = _text(info.name) or f"NPU {npu}"
        return Card(
            npu,
            chip,
            name=name,
            npu_name=sub_name(name, _text(info.npu_name)),
            logic=self._logic(npu, chip),
            health=self._health(npu, chip),
            pci_bus_id=self._bus(npu, chip),
            memory_bytes=self._memory(npu, chip),
            cores=info.cores or None,
            driver=self._driver,
        )

    def _logic(self, npu: int, chip: int) -> int | None:
        logic = ctypes.c_int()
        known = self._ask("dcmi_get_device_logic_id", ctypes.byref(logic), npu, chip)
        return logic.value if known and logic.value >= 0 else None

    def _health(self, npu: int, chip: int) -> str | None:
        health = ctypes.c_uint()
        if not self._ask("dcmi_get_device_health", npu, chip, ctypes.byref(health)):
            return None
        return _HEALTH.get(health.value, str(health.value))

    def _bus(self, npu: int, chip: int) -> str | None:
        pcie = _Pcie()
        if not self._ask("dcmi_get_device_pcie_info_v2", npu, chip, ctypes.byref(pcie)):
            return None
        return f"{pcie.domain:04X}:{pcie.bus:02X}:{pcie.device:02X}.{pcie.function:X}"

    def _memory(self, npu: int, chip: int) -> int | None:
        """HBM; boards that have none have the other memory."""
        for function in ("dcmi_get_device_hbm_info", "dcmi_get_device_memory_info_v3"):
            memory = _Memory()
            if self._ask(function, npu, chip, ctypes.byref(memory)) and memory.megabytes:
                return int(memory.megabytes) * 2**20
        return None


def sub_name(name: str, npu_name: str | None) -> str | None:
    """What tells chips apart that are all called `Ascend910`; `None` for a name that says it itself.

    Args:
        name: the chip's name.
        npu_name: the driver's second name for it.
    """
    plain = name.removeprefix("Ascend").strip()
    return npu_name if plain == "910" and npu_name and npu_name.isdigit() else None


def _text(value: bytes) -> str | None:
    return value.decode(errors="replace").strip() or None
