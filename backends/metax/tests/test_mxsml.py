"""MXSML's answers, from an imitation of the binding: every optional fact may be refused."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgb_backend_metax import discovery, mxsmi, mxsml
from kgb_backend_metax.cards import devices_of
from kgb_backend_metax.reading import Reading


class MXSMLError(Exception):
    """MXSML's error, as the binding has it."""


C600 = {
    "mxSmlGetDeviceInfo": SimpleNamespace(
        deviceName="MXC600-A", uuid="GPU-00000000-0000-0000-0000-000000000001", bdfId="0000:67:00.0"
    ),
    "mxSmlGetMemoryInfo": SimpleNamespace(vramTotal=73728 * 2**10),
    "mxSmlGetDeviceVersion": "3.9.10",
}


class Library:
    """A pymxsml that answers from a list of GPUs; what a GPU lacks is not supported."""

    MXSMLError = MXSMLError

    def __init__(self, gpus: list[dict[str, Any]], maca: Any = "3.8.1.3") -> None:
        self.gpus = gpus
        self.maca = maca

    def mxSmlInit(self) -> None:
        pass

    def mxSmlGetMacaVersion(self) -> Any:
        return _answer(self.maca)

    def mxSmlGetDeviceCount(self) -> int:
        return len(self.gpus)

    def mxSmlGetDeviceVersion(self, gpu: int, unit: int) -> Any:
        assert unit == 1
        return _answer(self.gpus[gpu].get("mxSmlGetDeviceVersion"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("mxSml"):
            return lambda gpu: _answer(self.gpus[gpu].get(name))
        raise AttributeError(name)


def _answer(answer: Any) -> Any:
    if answer is None:
        raise MXSMLError("Operation not supported")
    return answer


def test_everything_that_mxsml_tells() -> None:
    found = mxsml.read(Library([C600, C600]))
    assert (found.source, found.driver, found.maca, found.problem) == ("MXSML", "3.9.10", "3.8.1.3", "")
    card = found.cards[1]
    assert (card.gpu, card.name, card.uuid) == (1, "MXC600-A", "GPU-00000000-0000-0000-0000-000000000001")
    assert (card.pci_bus_id, card.driver, card.is_ours) == ("0000:67:00.0", "3.9.10", True)


def test_memory_is_counted_in_kibibytes() -> None:
    (card,) = mxsml.read(Library([C600])).cards
    assert card.memory_bytes == 72 * 2**30


@pytest.mark.parametrize("missing", ["mxSmlGetMemoryInfo", "mxSmlGetDeviceVersion"])
def test_any_one_fact_may_be_missing(missing: str) -> None:
    known = {name: answer for name, answer in C600.items() if name != missing}
    (device,) = devices_of(mxsml.read(Library([known])).cards)
    assert device.name == "MXC600-A"


def test_all_facts_may_be_missing() -> None:
    gpu = {"mxSmlGetDeviceInfo": SimpleNamespace(deviceName=b"", uuid=b"")}
    (device,) = devices_of(mxsml.read(Library([gpu], maca=None)).cards)
    assert device.model_dump(exclude={"index", "name"}, exclude_none=True) == {}
    assert device.name == "MetaX GPU 0"


def test_answers_may_be_bytes() -> None:
    gpu = {**C600, "mxSmlGetDeviceInfo": SimpleNamespace(deviceName=b"MXC500")}
    (card,) = mxsml.read(Library([gpu])).cards
    assert card.name == "MXC500"


def test_a_gpu_that_does_not_answer_is_listed_with_mxsmls_words() -> None:
    (device,) = devices_of(mxsml.read(Library([{}])).cards)
    assert (device.index, device.state) == (0, "Operation not supported")


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (MXSMLError("Sysfs error"), "libmxsml.so: Sysfs error"),
        (
            OSError("libmxsml.so: cannot open shared object file\nand more"),
            "libmxsml.so: libmxsml.so: cannot open",
        ),
        (MXSMLError(), "libmxsml.so: MXSMLError"),
    ],
)
def test_a_library_that_does_not_start_is_quoted_in_one_line(error: Exception, problem: str) -> None:
    class Broken(Library):
        def mxSmlInit(self) -> None:
            raise error

    found = mxsml.read(Broken([]))
    assert found.cards == ()
    assert found.problem.startswith(problem)
    assert "\n" not in found.problem


def test_cards_that_can_not_be_counted() -> None:
    class Uncounted(Library):
        def mxSmlGetDeviceCount(self) -> int:
            raise MXSMLError("Failure")

    assert mxsml.read(Uncounted([C600])).problem == "MXSML: Failure"


def test_without_the_binding_the_reason_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(mxsml, "version", absent)
    assert mxsml.read().problem == "pymxsml is not installed"


def test_something_else_of_the_name_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pymxsml.py").write_text('def hello():\n    return "world"\n')
    (tmp_path / "pymxsml-1.dist-info").mkdir()
    (tmp_path / "pymxsml-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pymxsml\nVersion: 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "pymxsml", raising=False)
    assert mxsml.read().problem == "the module pymxsml is not MetaX's"


def test_the_tool_is_asked_where_mxsml_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mxsml, "read", lambda: Reading("MXSML", problem="no MXSML"))
    monkeypatch.setattr(mxsmi, "read", lambda: Reading(mxsmi.SOURCE, problem="mx-smi not found"))
    assert discovery.read().problem == "no MXSML; mx-smi not found"


def test_the_tool_is_not_asked_where_mxsml_lists_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mxsml.read(Library([C600]))
    monkeypatch.setattr(mxsml, "read", lambda: found)
    monkeypatch.setattr(mxsmi, "read", lambda: pytest.fail("mx-smi was asked"))
    assert discovery.read() == found


def test_a_card_of_another_vendor_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**C600, "mxSmlGetDeviceInfo": SimpleNamespace(deviceName="NVIDIA H200")}
    found = mxsml.read(Library([other, C600]))
    monkeypatch.setattr(mxsml, "read", lambda: found)
    assert [card.name for card in discovery.read().cards] == ["MXC600-A"]
