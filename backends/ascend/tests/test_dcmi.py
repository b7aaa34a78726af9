"""DCMI's answers, from an imitation of the library: every optional fact may be refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kgb_backend_ascend import dcmi, discovery, npusmi
from kgb_backend_ascend.cards import Card, devices_of
from kgb_backend_ascend.reading import Reading

MIB = 2**20
IMITATION = Path(__file__).with_name("dcmi_imitation.c")
LACKS = "KGB_TEST_DCMI_LACKS"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The imitation, compiled."""
    built = tmp_path_factory.mktemp("dcmi") / "libdcmi.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(built), str(IMITATION)], check=True)
    return str(built)


def test_everything_that_dcmi_tells(library: str) -> None:
    found = dcmi.read([library])
    assert (found.source, found.driver, found.problem) == ("DCMI", "25.2.0", "")
    assert [(card.npu, card.chip, card.index) for card in found.cards] == [(3, 0, 0), (5, 0, 1), (5, 1, 2)]
    assert [card.product for card in found.cards] == ["Ascend 910B3", "Ascend 910_9392", "Ascend 910_9392"]
    assert [card.health for card in found.cards] == ["OK", "OK", "Critical"]
    assert [card.pci_bus_id for card in found.cards] == ["0000:C3:00.0", "0000:C5:00.0", "0000:C6:00.0"]
    assert {(card.memory_bytes, card.cores) for card in found.cards} == {(65536 * MIB, 20)}


@pytest.mark.parametrize(
    ("fact", "attribute", "instead"),
    [
        ("driver", "driver", None),
        ("logic", "index", 0),
        ("name", "product", "Ascend NPU 3"),
        ("health", "health", None),
        ("bus", "pci_bus_id", None),
        ("hbm", "memory_bytes", 43693 * MIB),
        ("hbm memory", "memory_bytes", None),
    ],
)
def test_any_one_fact_may_be_missing(
    library: str, monkeypatch: pytest.MonkeyPatch, fact: str, attribute: str, instead: object
) -> None:
    monkeypatch.setenv(LACKS, fact)
    found = dcmi.read([library]).cards
    assert len(found) == 3
    assert getattr(found[0], attribute) == instead
    assert [device.index for device in devices_of(found)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("fact", "problem"),
    [
        ("init", "dcmi_init failed with -8255"),
        ("list", "dcmi_get_card_list failed with -8255"),
        ("chips", ""),
    ],
)
def test_a_library_that_does_not_answer_says_which_number(
    library: str, monkeypatch: pytest.MonkeyPatch, fact: str, problem: str
) -> None:
    monkeypatch.setenv(LACKS, fact)
    found = dcmi.read([library])
    assert (found.cards, found.problem) == ((), problem)


def test_a_library_that_is_no_dcmi_is_named(tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text("int something(void) { return 0; }\n")
    built = tmp_path / "libdcmi.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(built), str(tmp_path / "other.c")], check=True)
    assert "dcmi_init" in dcmi.read([str(built)]).problem


def test_what_is_no_library_is_passed_over(tmp_path: Path, library: str) -> None:
    broken = tmp_path / "libdcmi.so"
    broken.write_bytes(b"\x7fELF")
    assert dcmi.read([str(broken), str(tmp_path / "nowhere.so")]).problem == "libdcmi.so not found"
    assert len(dcmi.read([str(broken), library]).cards) == 3


def test_the_tool_is_asked_where_dcmi_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dcmi, "read", lambda: Reading("DCMI", problem="no DCMI"))
    monkeypatch.setattr(npusmi, "read", lambda: Reading("npu-smi", problem="npu-smi not found"))
    assert discovery.read().problem == "no DCMI; npu-smi not found"


def test_the_tool_is_not_asked_where_dcmi_lists_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Reading("DCMI", (Card(0, 0, "910B3"),))
    monkeypatch.setattr(dcmi, "read", lambda: found)
    monkeypatch.setattr(npusmi, "read", lambda: pytest.fail("npu-smi was asked"))
    assert discovery.read() == found
