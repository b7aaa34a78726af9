"""MTML's answers, from an imitation of the binding: every optional fact may be refused."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgb_backend_mthreads import discovery, gmi, mtml
from kgb_backend_mthreads.cards import devices_of
from kgb_backend_mthreads.reading import Reading


class MTMLError(Exception):
    """MTML's error, as the binding has it."""


S4000 = {
    "mtmlDeviceGetName": "MTT S4000",
    "mtmlDeviceGetUUID": "00000000-0000-0000-0000-000000000002",
    "mtmlDeviceGetPciInfo": SimpleNamespace(sbdf="00000000:12:00.0"),
    "mtmlMemoryGetTotal": 48 * 2**30,
}


class Library:
    """A pymtml that answers from a list of GPUs; what a GPU lacks is not supported."""

    MTMLError = MTMLError

    def __init__(self, gpus: list[dict[str, Any] | MTMLError], driver: Any = "3.3.5-server") -> None:
        self.gpus = gpus
        self.driver = driver
        self.open: list[Any] = []

    def mtmlLibraryInit(self) -> None:
        self.open.append("library")

    def mtmlLibraryShutDown(self) -> None:
        self.open.remove("library")

    def mtmlLibraryInitSystem(self) -> str:
        self.open.append("system")
        return "system"

    def mtmlSystemGetDriverVersion(self, system: str) -> Any:
        assert system == "system"
        return _answer(self.driver)

    def mtmlLibraryFreeSystem(self, system: str) -> None:
        self.open.remove(system)

    def mtmlLibraryCountDevice(self) -> int:
        return len(self.gpus)

    def mtmlLibraryInitDeviceByIndex(self, index: int) -> dict[str, Any]:
        gpu = self.gpus[index]
        if isinstance(gpu, MTMLError):
            raise gpu
        self.open.append(gpu)
        return gpu

    def mtmlLibraryFreeDevice(self, gpu: dict[str, Any]) -> None:
        self.open.remove(gpu)

    def mtmlDeviceInitMemory(self, gpu: dict[str, Any]) -> dict[str, Any]:
        return gpu

    def mtmlDeviceFreeMemory(self, memory: dict[str, Any]) -> None:
        assert memory in self.gpus

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("mtmlDevice", "mtmlMemory")):
            return lambda gpu: _answer(gpu.get(name))
        raise AttributeError(name)


def _answer(answer: Any) -> Any:
    if answer is None:
        raise MTMLError("Not Supported")
    return answer


def test_everything_that_mtml_tells() -> None:
    library = Library([S4000, S4000])
    found = mtml.read(library)
    assert (found.source, found.driver, found.problem) == ("MTML", "3.3.5-server", "")
    card = found.cards[1]
    assert (card.gpu, card.name, card.uuid) == (1, "MTT S4000", "00000000-0000-0000-0000-000000000002")
    assert (card.pci_bus_id, card.memory_bytes) == ("00000000:12:00.0", 48 * 2**30)
    assert library.open == []


@pytest.mark.parametrize("missing", S4000)
def test_any_one_fact_may_be_missing(missing: str) -> None:
    known = {name: answer for name, answer in S4000.items() if name != missing}
    (device,) = devices_of(mtml.read(Library([known])).cards)
    assert device.index == 0
    assert device.name


def test_all_facts_may_be_missing() -> None:
    (device,) = devices_of(mtml.read(Library([{}], driver=None)).cards)
    assert device.model_dump(exclude={"index", "name"}, exclude_none=True) == {}


@pytest.mark.parametrize("absent", ["mtmlDeviceInitMemory", "mtmlLibraryInitSystem", "mtmlLibraryFreeDevice"])
def test_an_older_binding_may_lack_a_function(absent: str) -> None:
    class Older(Library):
        def __getattribute__(self, name: str) -> Any:
            if name == absent:
                raise AttributeError(name)
            return super().__getattribute__(name)

    assert mtml.read(Older([S4000])).cards[0].name == "MTT S4000"


def test_answers_may_be_bytes() -> None:
    (card,) = mtml.read(Library([{**S4000, "mtmlDeviceGetName": b"MTT S80"}], driver=b"2.7.0")).cards
    assert (card.name, card.driver) == ("MTT S80", "2.7.0")


def test_a_lost_gpu_is_listed_with_mtmls_words() -> None:
    devices = devices_of(mtml.read(Library([S4000, MTMLError("Gpu Is Lost")])).cards)
    assert [device.state for device in devices] == [None, "Gpu Is Lost"]


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (MTMLError("No Permission"), "libmtml.so: No Permission"),
        (
            OSError("Failed to load MTML library on Linux.\nTried: libmtml.so.2"),
            "libmtml.so: Failed to load MTML library",
        ),
        (MTMLError(), "libmtml.so: MTMLError"),
    ],
)
def test_a_library_that_does_not_start_is_quoted_in_one_line(error: Exception, problem: str) -> None:
    class Broken(Library):
        def mtmlLibraryInit(self) -> None:
            raise error

    found = mtml.read(Broken([]))
    assert found.cards == ()
    assert found.problem.startswith(problem)
    assert "\n" not in found.problem


def test_cards_that_can_not_be_counted() -> None:
    class Uncounted(Library):
        def mtmlLibraryCountDevice(self) -> int:
            raise MTMLError("Unknown Error")

    library = Uncounted([S4000])
    assert mtml.read(library).problem == "MTML: Unknown Error"
    assert library.open == []


def test_without_the_binding_the_reason_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(mtml, "version", absent)
    assert mtml.read().problem == "mthreads-ml-py is not installed"


def test_another_pymtml_is_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pymtml.py").write_text("raise SystemExit('a demonstration package was imported')\n")
    (tmp_path / "pymtml-0.0.3.dist-info").mkdir()
    (tmp_path / "pymtml-0.0.3.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pymtml\nVersion: 0.0.3\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert mtml.read().problem == "mthreads-ml-py is not installed"
    assert "pymtml" not in sys.modules


def test_another_pymtml_over_the_right_one_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pymtml.py").write_text('def hello():\n    return "world"\n')
    (tmp_path / "mthreads_ml_py-2.4.3.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: mthreads-ml-py\nVersion: 2.4.3\n"
    (tmp_path / "mthreads_ml_py-2.4.3.dist-info" / "METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "pymtml", raising=False)
    assert mtml.read().problem == "the module pymtml is not mthreads-ml-py's"


def test_the_tool_is_asked_where_mtml_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mtml, "read", lambda: Reading("MTML", problem="no MTML"))
    monkeypatch.setattr(gmi, "read", lambda: Reading(gmi.SOURCE, problem="mthreads-gmi not found"))
    assert discovery.read().problem == "no MTML; mthreads-gmi not found"


def test_the_tool_is_not_asked_where_mtml_lists_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mtml.read(Library([S4000]))
    monkeypatch.setattr(mtml, "read", lambda: found)
    monkeypatch.setattr(gmi, "read", lambda: pytest.fail("mthreads-gmi was asked"))
    assert discovery.read() == found
