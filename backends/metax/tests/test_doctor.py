"""`kgb doctor` on a MetaX machine: what is wrong, and the exact step that mends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_metax.cards import Card
from kgb_backend_metax.doctor import Stack, gpu_check, slice_checks, stack_checks, variable_checks
from kgb_backend_metax.reading import Reading
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice

CARD = Card(0, "MetaX C500")
ON_BUS = [PciDevice("0000:0e:00.0", 0x9999, 0x4040)]
ABSENT = Reading("mx-smi", problem="pymxsml is not installed; mx-smi not found")


@pytest.mark.parametrize(
    ("answer", "on_bus", "chosen", "health", "found", "fix"),
    [
        (ABSENT, [], None, Health.NONE, "no PCI device 9999:*; pymxsml", "install its driver"),
        (
            ABSENT,
            ON_BUS,
            None,
            Health.BROKEN,
            "PCI device 9999:4040 at 0000:0e:00.0; py",
            "--device=/dev/mxcd",
        ),
        (Reading("MXSML"), [], None, Health.NONE, "MXSML lists no GPU", "install its driver"),
        (
            Reading("mx-smi", (CARD,), "3.8.30", "3.7.1.5"),
            ON_BUS,
            None,
            Health.OK,
            "1 device: MetaX C500; driver 3.8.30, MACA 3.7.1.5, by mx-smi",
            "",
        ),
        (Reading("MXSML", (CARD,)), ON_BUS, None, Health.OK, "driver unknown, MACA unknown", ""),
        (Reading("MXSML", (CARD,)), ON_BUS, "", Health.WARN, "CUDA_VISIBLE_DEVICES= hides all of 1", "unset"),
        (
            Reading("MXSML", (Card(0, "MXC500", problem="Not Available(MetaX Sysfs File Unaccessible)"),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "MXC500 0: Not Available(MetaX Sysfs File Unaccessible)",
            "leave it out",
        ),
    ],
)
def test_the_gpu(
    answer: Reading, on_bus: list[PciDevice], chosen: str | None, health: Health, found: str, fix: str
) -> None:
    finding = gpu_check(answer, on_bus, chosen)
    assert finding.health is health
    assert found in finding.found
    assert fix in finding.fix
    assert bool(finding.fix) == (health is not Health.OK)


def test_a_share_of_a_card_is_told() -> None:
    (finding,) = slice_checks([CARD, Card(2, "MetaX C500", is_slice=True)])
    assert finding.health is Health.WARN
    assert "GPU 2 is a share of a card" in finding.found
    assert list(slice_checks([CARD])) == []


def test_a_second_variable_is_told() -> None:
    (finding,) = variable_checks("1,2")
    assert finding.health is Health.WARN
    assert "export CUDA_VISIBLE_DEVICES=1,2" in finding.fix
    assert list(variable_checks(None)) == []


WHOLE = Stack("2.8.0+metax3.7.2.0", "3.0.0+metax3.7.2.0", "metax", Path("/somewhere/maca"))


@pytest.mark.parametrize(
    ("installed", "torch", "triton", "words"),
    [
        (WHOLE, Health.OK, Health.OK, "torch 2.8.0+metax3.7.2.0"),
        (Stack(), Health.BROKEN, Health.BROKEN, "torch not installed"),
        (Stack("2.13.0", "3.9.0"), Health.BROKEN, Health.BROKEN, "torch 2.13.0 is not MetaX's build"),
        (Stack("2.8.0+metax3.7.2.0", "3.0.0", "metax"), Health.OK, Health.BROKEN, "torch 2.8.0+metax"),
    ],
)
def test_the_stack(installed: Stack, torch: Health, triton: Health, words: str) -> None:
    findings = list(stack_checks(installed))
    assert [finding.health for finding in findings] == [torch, triton]
    assert words in findings[0].found
    assert all(bool(finding.fix) == (finding.health is not Health.OK) for finding in findings)


def test_stock_triton_and_a_missing_toolkit_are_told_apart() -> None:
    stock = list(stack_checks(Stack("2.8.0+metax3.7.2.0", "3.9.0")))[1]
    bare = list(stack_checks(Stack("2.8.0+metax3.7.2.0", "3.0.0", "metax")))[1]
    assert stock.found == "Triton 3.9.0 has no MACA back end"
    assert "flagtree for metax" in stock.fix
    assert "no MACA in MACA_PATH" in bare.found
    assert "export MACA_PATH" in bare.fix


def test_the_doctor_of_a_machine_without_the_chip(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool(name="another-tool")
    (finding,) = backend.doctor_checks()
    assert finding.health is Health.NONE
    assert finding.found == "no PCI device 9999:*; no MXSML here; mx-smi not found"


def test_the_doctor_of_a_machine_with_the_chip(
    backend: Backend, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool("hand_made_mixed.txt")
    monkeypatch.setenv("MACA_VISIBLE_DEVICES", "0")
    found = {finding.name: finding.health for finding in backend.doctor_checks()}
    assert found == {
        "gpu": Health.BROKEN,
        "share": Health.WARN,
        "variables": Health.WARN,
        "torch": Health.BROKEN,
        "triton": Health.BROKEN,
    }
