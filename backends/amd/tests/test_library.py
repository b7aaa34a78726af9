"""The binding amdsmi, from a module that is written down here: any call may fail, and importing it too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kgb_backend_amd import library


class AmdSmiLibraryException(Exception):
    """The binding's error."""


ASIC = {
    "market_name": "AMD Instinct MI300X",
    "vendor_id": "0x1002",
    "vendor_name": "Advanced Micro Devices Inc. [AMD/ATI]",
    "device_id": "0x74a1",
    "asic_serial": "0x00000000000000A0",
    "num_compute_units": 304,
    "target_graphics_version": "gfx942",
}
KNOWN: dict[str, Any] = {
    "amdsmi_get_gpu_asic_info": ASIC,
    "amdsmi_get_gpu_device_bdf": "0000:05:00.0",
    "amdsmi_get_gpu_kfd_info": {"kfd_id": 1, "node_id": 2, "current_partition_id": 0},
    "amdsmi_get_gpu_vram_usage": {"vram_total": 196592, "vram_used": 300},
    "amdsmi_get_gpu_cache_info": {"cache": [{"cache_level": 3, "cache_size": 262144}]},
    "amdsmi_get_gpu_driver_info": {"driver_version": "6.12.12"},
}


class Library:
    """An amdsmi that knows some GPUs; what a GPU doesn't know is an error."""

    def __init__(self, *gpus: dict[str, Any]) -> None:
        self.gpus = gpus
        self.is_open = False

    def amdsmi_init(self) -> None:
        self.is_open = True

    def amdsmi_shut_down(self) -> None:
        self.is_open = False

    def amdsmi_get_processor_handles(self) -> list[int]:
        return list(range(len(self.gpus)))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("amdsmi_get_gpu_"):
            raise AttributeError(name)

        def ask(handle: int) -> Any:
            if name not in self.gpus[handle]:
                raise AmdSmiLibraryException("AMDSMI_STATUS_NOT_SUPPORTED")
            return self.gpus[handle][name]

        return ask


def test_every_fact_of_a_card() -> None:
    known = Library(KNOWN)
    answer = library.read(known)
    (card,) = answer.cards
    assert (card.title, card.arch, card.compute_units) == ("AMD Instinct MI300X", "gfx942", 304)
    assert (card.uuid, card.node, card.pci_bus_id) == ("GPU-00000000000000a0", 2, "0000:05:00.0")
    assert (card.memory_bytes, card.cache_bytes) == (196592 * 2**20, 256 * 2**20)
    assert (answer.driver, answer.problem, known.is_open) == ("6.12.12", "", False)


@pytest.mark.parametrize("missing", list(KNOWN))
def test_any_fact_may_be_missing(missing: str) -> None:
    (card,) = library.read(Library({name: fact for name, fact in KNOWN.items() if name != missing})).cards
    assert card.index == 0
    assert card.title


@pytest.mark.parametrize("odd", [None, "N/A", [], 3, {"cache": "N/A"}, {"vram_total": "N/A"}])
def test_any_fact_may_be_of_another_type(odd: Any) -> None:
    (card,) = library.read(Library(dict.fromkeys(KNOWN, odd))).cards
    assert (card.memory_bytes, card.arch, card.node) == (None, None, None)


def test_without_a_gpu_it_says_so() -> None:
    assert library.read(Library()).problem == "amdsmi lists no GPU"


@pytest.mark.parametrize("function", ["amdsmi_init", "amdsmi_get_processor_handles"])
def test_a_library_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    def fail(self: Library) -> None:
        raise AmdSmiLibraryException("Driver not loaded")

    monkeypatch.setattr(Library, function, fail)
    answer = library.read(Library(KNOWN))
    assert (answer.cards, answer.problem) == ((), "amdsmi: AmdSmiLibraryException: Driver not loaded")


WITHOUT_LIBRARY = """
print("Could not load libamd_smi.so")
print("Unable to find libamd_smi.so library try installing amd-smi-lib")
{}["libamd_smi.so"]
"""


def test_a_binding_without_its_library_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "amdsmi.py").write_text(WITHOUT_LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "amdsmi", raising=False)
    assert library.read().problem == "amdsmi: KeyError: Could not load libamd_smi.so"
    assert capsys.readouterr().out == ""


def test_a_binding_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "amdsmi", None)
    assert library.read().problem == "the module amdsmi is not installed"
