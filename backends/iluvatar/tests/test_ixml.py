"""libixml.so, called through its C interface, which is written down here; any function may be missing."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int, c_uint, c_ulonglong, c_void_p
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from kgb_backend_iluvatar import ixml

if TYPE_CHECKING:
    from conftest import Site

NOT_SUPPORTED = 3
DEVICE = PLACE = c_void_p
TEXT = (PLACE, c_uint)
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "nvmlInit_v2": (),
    "nvmlShutdown": (),
    "nvmlSystemGetDriverVersion": TEXT,
    "nvmlSystemGetNVMLVersion": TEXT,
    "nvmlSystemGetCudaDriverVersion": (PLACE,),
    "nvmlDeviceGetCount_v2": (PLACE,),
    "nvmlDeviceGetHandleByIndex_v2": (c_uint, PLACE),
    "nvmlDeviceGetName": (DEVICE, *TEXT),
    "nvmlDeviceGetUUID": (DEVICE, *TEXT),
    "nvmlDeviceGetPciInfo_v3": (DEVICE, PLACE),
    "nvmlDeviceGetMemoryInfo": (DEVICE, PLACE),
    "nvmlDeviceGetCudaComputeCapability": (DEVICE, PLACE, PLACE),
    "ixmlDeviceGetHealth": (DEVICE, PLACE),
}
"""The C functions as NVML's and ixML's headers have them; each returns a code, and fills PLACE."""

ADDRESS = 0x7F00_0000_1000
"""Handles are pointers that need more than 32 bits."""


@dataclass
class Gpu:
    """A card, as the library knows it."""

    name: str = "Iluvatar BI-V150"
    uuid: str = "GPU-d0"
    place: str = "00000000:13:00.0"
    pci_id: int = 0x00031E3E
    memory: int = 2**35
    capability: tuple[int, int] = (7, 1)
    health: int = 0


@dataclass
class Library:
    """A libixml that knows some cards. `without` are functions that it lacks, `refusing` those that fail."""

    gpus: list[Gpu]
    without: frozenset[str] = frozenset()
    refusing: dict[str, int] = field(default_factory=dict)
    opened: int = 0

    def __post_init__(self) -> None:
        for name, arguments in PROTOTYPES.items():
            if name not in self.without:
                setattr(self, name, CFUNCTYPE(c_int, *arguments)(self._answer(name)))
        if "nvmlErrorString" not in self.without:
            self.nvmlErrorString = CFUNCTYPE(c_void_p, c_int)(self._words)

    def _words(self, code: int) -> int:
        self.said = ctypes.create_string_buffer(f"Error {code} in words".encode())
        return ctypes.addressof(self.said)

    def _answer(self, name: str) -> Callable[..., int]:
        body = getattr(self, f"_{name.removesuffix('_v2').removesuffix('_v3')}")

        def answer(*arguments: Any) -> int:
            code = self.refusing.get(name, 0)
            if not code:
                body(*arguments)
            return code

        return answer

    def _gpu(self, handle: int) -> Gpu:
        return self.gpus[handle - ADDRESS]

    def _nvmlInit(self) -> None:
        self.opened += 1

    def _nvmlShutdown(self) -> None:
        self.opened -= 1

    def _nvmlSystemGetDriverVersion(self, place: int, size: int) -> None:
        _put(place, "4.4.0", size)

    def _nvmlSystemGetNVMLVersion(self, place: int, size: int) -> None:
        _put(place, "4.4.0", size)

    def _nvmlSystemGetCudaDriverVersion(self, place: int) -> None:
        c_int.from_address(place).value = 10020

    def _nvmlDeviceGetCount(self, place: int) -> None:
        c_uint.from_address(place).value = len(self.gpus)

    def _nvmlDeviceGetHandleByIndex(self, index: int, place: int) -> None:
        c_void_p.from_address(place).value = ADDRESS + index

    def _nvmlDeviceGetName(self, handle: int, place: int, size: int) -> None:
        _put(place, self._gpu(handle).name, size)

    def _nvmlDeviceGetUUID(self, handle: int, place: int, size: int) -> None:
        _put(place, self._gpu(handle).uuid, size)

    def _nvmlDeviceGetPciInfo(self, handle: int, place: int) -> None:
        gpu = self._gpu(handle)
        short = gpu.place[4:].encode().ljust(16, b"\0")
        numbers = b"".join(number.to_bytes(4, "little") for number in (0, 0x13, 0, gpu.pci_id, 0))
        ctypes.memmove(place, short + numbers + gpu.place.encode().ljust(32, b"\0"), 68)

    def _nvmlDeviceGetMemoryInfo(self, handle: int, place: int) -> None:
        c_ulonglong.from_address(place).value = self._gpu(handle).memory

    def _nvmlDeviceGetCudaComputeCapability(self, handle: int, major: int, minor: int) -> None:
        c_int.from_address(major).value, c_int.from_address(minor).value = self._gpu(handle).capability

    def _ixmlDeviceGetHealth(self, handle: int, place: int) -> None:
        c_ulonglong.from_address(place).value = self._gpu(handle).health


def _put(place: int, value: str, size: int) -> None:
    text = value.encode() + b"\0"
    ctypes.memmove(place, text, min(len(text), size))


def test_every_fact_of_every_card(site: Site) -> None:
    library = Library([Gpu(), Gpu("Iluvatar MR-V100", "GPU-d1", "00000001:01:00.0", 0x00021E3E, 2**34)])
    answer = ixml.read(site.machine, lambda place: library)
    first, second = answer.cards
    assert (first.index, first.title, first.uuid, first.arch) == (0, "Iluvatar BI-V150", "GPU-d0", "ivcore11")
    assert (first.pci_vendor, first.pci_bus_id, first.memory_bytes) == (0x1E3E, "00000000:13:00.0", 2**35)
    assert (second.index, second.title, second.memory_bytes) == (1, "Iluvatar MR-V100", 2**34)
    assert (answer.driver, answer.ixml, answer.cuda, answer.problem) == ("4.4.0", "4.4.0", "10.2", "")
    assert library.opened == 0


NEEDED = ("nvmlInit_v2", "nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2")
OPTIONAL = [name for name in PROTOTYPES if name not in NEEDED]


@pytest.mark.parametrize("name", OPTIONAL)
def test_any_other_function_may_be_missing(site: Site, name: str) -> None:
    library = Library([Gpu()], without=frozenset({name}))
    (card,) = ixml.read(site.machine, lambda place: library).cards
    assert (card.index, card.is_ours) == (0, True)


@pytest.mark.parametrize("name", OPTIONAL)
def test_any_other_function_may_refuse(site: Site, name: str) -> None:
    library = Library([Gpu()], refusing={name: NOT_SUPPORTED})
    (card,) = ixml.read(site.machine, lambda place: library).cards
    assert (card.index, card.problem, card.is_ours) == (0, None, True)


def test_a_chip_that_is_not_known_has_no_architecture(site: Site) -> None:
    library = Library([Gpu("Iluvatar TG-V200 OAM", capability=(9, 9))])
    (card,) = ixml.read(site.machine, lambda place: library).cards
    assert (card.title, card.arch) == ("Iluvatar TG-V200 OAM", None)


@pytest.mark.parametrize(
    ("bits", "words"),
    [(0x20, "0x20: memory error"), (0x11, "0x11: system hub error, ECC error"), (0x800, "0x800: unknown")],
)
def test_a_sick_card_has_a_state(site: Site, bits: int, words: str) -> None:
    (card,) = ixml.read(site.machine, lambda place: Library([Gpu(health=bits)])).cards
    assert card.problem == f"ixML health {words}"


def test_a_lost_card_is_listed_with_the_librarys_words(site: Site) -> None:
    library = Library([Gpu()], refusing={"nvmlDeviceGetHandleByIndex_v2": 15})
    (card,) = ixml.read(site.machine, lambda place: library).cards
    assert (card.index, card.problem, card.is_ours) == (0, "Error 15 in words", True)


@pytest.mark.parametrize(
    ("without", "refusing", "problem"),
    [
        ((), {"nvmlInit_v2": 9}, "libixml.so: Error 9 in words"),
        (("nvmlErrorString",), {"nvmlInit_v2": 9}, "libixml.so: error 9"),
        ((), {"nvmlDeviceGetCount_v2": 999}, "libixml.so: Error 999 in words"),
        (("nvmlDeviceGetCount_v2",), {}, "libixml.so: a function that is needed is missing"),
    ],
)
def test_a_library_that_fails_is_quoted(
    site: Site, without: tuple[str, ...], refusing: dict[str, int], problem: str
) -> None:
    library = Library([Gpu()], frozenset(without), refusing)
    answer = ixml.read(site.machine, lambda place: library)
    assert (answer.cards, answer.problem) == ((), problem)


def test_without_a_card_it_says_so(site: Site) -> None:
    assert ixml.read(site.machine, lambda place: Library([])).problem == "libixml.so lists no GPU"


def test_a_library_that_can_not_be_opened_is_told(site: Site) -> None:
    assert ixml.read(site.machine).problem.startswith("libixml.so: cannot open shared object file")


def test_the_xml_parser_of_that_name_is_not_asked(site: Site) -> None:
    answer = ixml.read(site.machine, lambda place: ctypes.CDLL(None))
    assert answer.problem == "libixml.so is another library of that name, without nvmlInit"


def test_corexs_own_directories_go_first(site: Site) -> None:
    for folder in ("lib64", "lib"):
        (site.machine.corex / folder).mkdir(parents=True)
        (site.machine.corex / folder / "libixml.so").touch()
    asked: list[str] = []

    def load(place: str) -> Any:
        asked.append(place)
        raise OSError(f"{place}: file too short")

    problem = ixml.read(site.machine, load).problem
    assert asked == [
        f"{site.machine.corex}/lib64/libixml.so",
        f"{site.machine.corex}/lib/libixml.so",
        "libixml.so",
    ]
    assert "lib64/libixml.so: file too short" in problem
