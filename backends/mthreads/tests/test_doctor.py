"""`kgb doctor` on a Moore Threads machine: what is wrong, and the exact step that mends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_mthreads.cards import Card
from kgb_backend_mthreads.doctor import Stack, gpu_check, memory_checks, stack_checks
from kgb_backend_mthreads.gmi import parse_table
from kgb_backend_mthreads.reading import Reading
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice

CARD = Card(0, "MTT S4000", driver="3.3.5-server", memory_bytes=48 * 2**30)
ON_BUS = [PciDevice("0000:12:00.0", 0x1ED5, 0x0323)]
ABSENT = Reading("mthreads-gmi", problem="mthreads-ml-py is not installed; mthreads-gmi not found")


def said(text: str) -> Reading:
    """A tool that lists nothing and says this."""
    return Reading("mthreads-gmi", problem=f"mthreads-gmi lists no GPU: {text}")


@pytest.mark.parametrize(
    ("answer", "on_bus", "chosen", "health", "found", "fix"),
    [
        (ABSENT, [], None, Health.NONE, "no PCI device 1ed5:*; mthreads-ml-py", "install its driver"),
        (
            ABSENT,
            ON_BUS,
            None,
            Health.BROKEN,
            "PCI device 1ed5:0323 at 0000:12:00.0; mth",
            "--runtime mthreads",
        ),
        (Reading("MTML"), [], None, Health.NONE, "MTML lists no GPU", "install its driver"),
        (said("Error: No MT GPU device found."), ON_BUS, None, Health.BROKEN, "No MT GPU", "intel_iommu=on"),
        (said("failed to initialize mtml"), ON_BUS, None, Health.BROKEN, "mtml", "usermod -aG render,video"),
        (said("failed to load driver"), ON_BUS, None, Health.BROKEN, "load driver", "modprobe mtgpu"),
        (
            Reading("mthreads-gmi", problem="mthreads-gmi printed nothing"),
            ON_BUS,
            None,
            Health.BROKEN,
            "printed nothing",
            "MTHREADS_VISIBLE_DEVICES=all",
        ),
        (
            Reading("mthreads-gmi", (CARD,), "3.3.5-server"),
            ON_BUS,
            None,
            Health.OK,
            "1 device: MTT S4000; driver 3.3.5-server, by mthreads-gmi",
            "",
        ),
        (Reading("MTML", (CARD,)), ON_BUS, "", Health.WARN, "MUSA_VISIBLE_DEVICES= hides all of 1", "unset"),
        (
            Reading("MTML", (Card(0, "MTT S4000", problem="Gpu Is Lost"),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "MTT S4000: Gpu Is Lost",
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


def test_memory_that_is_missing_shows(data: Callable[[str], str]) -> None:
    (finding,) = memory_checks(parse_table(data("recorded_s4000_short_memory_table.txt")).cards)
    assert finding.health is Health.WARN
    assert finding.found == "MTT S4000 0 shows 32 GiB of its 48"
    assert "IOMMU" in finding.fix


def test_whole_or_unknown_memory_is_no_finding(data: Callable[[str], str]) -> None:
    cards = parse_table(data("recorded_s5000_table.txt")).cards
    assert list(memory_checks([*cards, Card(8, "MTT S4000"), Card(9, "MTT S70", memory_bytes=1)])) == []


WHOLE = Stack("2.9.0+musa.4.3.6", "2.9.0", "3.6.0 (flagtree)", "mthreads", Path("/somewhere/musa"))


@pytest.mark.parametrize(
    ("installed", "torch", "triton", "words"),
    [
        (WHOLE, Health.OK, Health.OK, "torch_musa 2.9.0"),
        (Stack(), Health.BROKEN, Health.BROKEN, "torch and torch_musa not installed"),
        (Stack("2.13.0", None, "3.9.0"), Health.BROKEN, Health.BROKEN, "torch_musa not installed"),
        (Stack("2.13.0", "2.9.0", "3.6.0", "musa", Path("/m")), Health.WARN, Health.OK, "not of one release"),
        (Stack("2.2.0", "1.3.0", "3.1.0", "mthreads"), Health.OK, Health.BROKEN, "torch_musa 1.3.0"),
    ],
)
def test_the_stack(installed: Stack, torch: Health, triton: Health, words: str) -> None:
    findings = list(stack_checks(installed))
    assert [finding.health for finding in findings] == [torch, triton]
    assert words in findings[0].found
    assert all(bool(finding.fix) == (finding.health is not Health.OK) for finding in findings)


def test_stock_triton_and_a_missing_toolkit_are_told_apart() -> None:
    stock = list(stack_checks(Stack("2.9.0", "2.9.0", "3.9.0")))[1]
    bare = list(stack_checks(Stack("2.9.0", "2.9.0", "3.6.0", "mthreads")))[1]
    assert stock.found == "Triton 3.9.0 has no MUSA back end"
    assert "flagtree for mthreads" in stock.fix
    assert "no MUSA toolkit in MUSA_HOME" in bare.found
    assert "export MUSA_HOME" in bare.fix


def test_the_doctor_of_a_machine_without_the_chip(backend: Backend, gmi_tool: Callable[..., None]) -> None:
    gmi_tool(name="another-tool")
    (finding,) = backend.doctor_checks()
    assert finding.health is Health.NONE
    assert finding.found == "no PCI device 1ed5:*; no MTML here; mthreads-gmi not found"


def test_the_doctor_of_a_machine_with_the_chip(backend: Backend, gmi_tool: Callable[..., None]) -> None:
    gmi_tool(table="recorded_s4000_short_memory_table.txt")
    found = {finding.name: finding.health for finding in backend.doctor_checks()}
    assert found["gpu"] is Health.OK
    assert found["memory"] is Health.WARN
    assert found["triton"] is Health.BROKEN
