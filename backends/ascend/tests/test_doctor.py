"""`kgb doctor` on an Ascend machine: what is wrong, and the exact step that mends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kgb_backend_ascend import bus, stack, torch_npu
from kgb_backend_ascend.cards import Card
from kgb_backend_ascend.doctor import Stack, npu_check, stack_checks
from kgb_backend_ascend.reading import Reading
from kgb_core.models.doctor import Health
from kgb_core.plugins import Backend
from kgb_core.plugins.tools import PciDevice

CARDS = tuple(Card(place, 0, "910B3", logic=place, health="OK") for place in range(2))
ON_BUS = [PciDevice("0000:c1:00.0", 0x19E5, 0xD802)]
ABSENT = Reading("npu-smi", problem="libdcmi.so not found; npu-smi not found")


def said(text: str) -> Reading:
    """A tool that lists nothing and says this."""
    return Reading("npu-smi", problem=f"npu-smi lists no NPU: {text}")


@pytest.mark.parametrize(
    ("answer", "on_bus", "chosen", "health", "found", "fix"),
    [
        (ABSENT, [], None, Health.NONE, "no PCI device 19e5:* that is an accelerator; lib", "its driver"),
        (ABSENT, ON_BUS, None, Health.BROKEN, "PCI device 19e5:d802 at 0000:c1:00.0", "/dev/davinci_manager"),
        (Reading("DCMI"), [], None, Health.NONE, "DCMI lists no NPU", "install its driver"),
        (said("ret is -8005"), ON_BUS, None, Health.BROKEN, "-8005", "another container"),
        (said("the device is used. ret is -8020"), [], None, Health.NONE, "-8020", "another container"),
        (said("libdrvdsmi_host.so: cannot open"), ON_BUS, None, Health.BROKEN, "dsmi", "LD_LIBRARY_PATH"),
        (
            Reading("DCMI", CARDS, "25.2.0"),
            ON_BUS,
            None,
            Health.OK,
            "2 devices: Ascend 910B3; driver 25.2.0, by DCMI",
            "",
        ),
        (Reading("DCMI", CARDS), ON_BUS, "1", Health.OK, "1 device: ", ""),
        (Reading("DCMI", CARDS), ON_BUS, "0, 1", Health.WARN, "=0, 1 shows 1 of 2 NPUs", "ids of 0 to 1"),
        (Reading("DCMI", CARDS), ON_BUS, "", Health.WARN, "shows 0 of 2 NPUs", "unset"),
        (
            Reading("DCMI", (replace(CARDS[0], health="Warning"),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "Ascend 910B3 0: health Warning",
            "npu-smi info -t health -i 0",
        ),
        (
            Reading("DCMI", (replace(CARDS[0], name="310P3"),)),
            ON_BUS,
            None,
            Health.BROKEN,
            "Ascend 310P3 0: no Triton compiles for it",
            "leave it out",
        ),
    ],
)
def test_the_npu(
    answer: Reading, on_bus: list[PciDevice], chosen: str | None, health: Health, found: str, fix: str
) -> None:
    finding = npu_check(answer, on_bus, chosen)
    assert finding.health is health
    assert found in finding.found
    assert fix in finding.fix
    assert bool(finding.fix) == (health is not Health.OK)


WHOLE = Stack(
    "2.10.0+cpu", "2.10.0.post7", "", "3.2.0", "ascend", Path("/somewhere/cann"), Path("/s/set_env.sh")
)
HCCL = "libhccl.so: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("installed", "torch", "triton", "words", "fix"),
    [
        (WHOLE, Health.OK, Health.OK, "torch 2.10.0+cpu, torch_npu 2.10.0.post7", ""),
        (Stack(), Health.BROKEN, Health.BROKEN, "torch and torch_npu not installed", "pip install torch-npu"),
        (
            replace(WHOLE, torch="2.13.0+cpu"),
            Health.BROKEN,
            Health.OK,
            "not of one release",
            "pip install torch==2.10.0",
        ),
        (
            replace(WHOLE, failure=HCCL),
            Health.BROKEN,
            Health.OK,
            f"torch_npu is installed and fails to import: {HCCL}",
            "source /s/set_env.sh",
        ),
        (
            replace(WHOLE, failure=HCCL, toolkit=None, script=None),
            Health.BROKEN,
            Health.BROKEN,
            "libhccl.so",
            "install the CANN toolkit and source its set_env.sh",
        ),
        (replace(WHOLE, failure="no attribute x"), Health.BROKEN, Health.OK, "no attribute x", "says more"),
    ],
)
def test_the_stack(installed: Stack, torch: Health, triton: Health, words: str, fix: str) -> None:
    findings = list(stack_checks(installed))
    assert [finding.health for finding in findings] == [torch, triton]
    assert words in findings[0].found
    assert fix in findings[0].fix
    assert all(bool(finding.fix) == (finding.health is not Health.OK) for finding in findings)


def test_stock_triton_and_a_missing_toolkit_are_told_apart() -> None:
    stock = list(stack_checks(replace(WHOLE, triton="3.9.0", backend=None)))[1]
    bare = list(stack_checks(replace(WHOLE, toolkit=None)))[1]
    assert stock.found == "Triton 3.9.0 has no Ascend back end"
    assert "pip install triton-ascend" in stock.fix
    assert "it compiles to Linalg only" in bare.found
    assert "set_env.sh" in bare.fix


def test_the_doctor_of_a_machine_without_the_chip(
    backend: Backend, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool(name="another-tool")
    monkeypatch.setattr(bus, "npus", list)
    (finding,) = backend.doctor_checks()
    assert finding.health is Health.NONE
    assert finding.found == "no PCI device 19e5:* that is an accelerator; no DCMI here; npu-smi not found"


def test_a_torch_npu_that_fails_shows_without_a_chip_too(
    backend: Backend, smi_tool: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool()
    monkeypatch.setattr(stack, "torch_npu_version", lambda: "2.13.0")
    monkeypatch.setattr(torch_npu, "failure", lambda: HCCL)
    monkeypatch.setattr("kgb_backend_ascend.doctor.module_version", lambda name: "2.13.0+cpu")
    found = {finding.name: finding for finding in backend.doctor_checks()}
    assert found["torch"].health is Health.BROKEN
    assert HCCL in found["torch"].found


def test_the_doctor_of_a_machine_with_the_chip(backend: Backend, smi_tool: Callable[..., None]) -> None:
    smi_tool(info="recorded_910b3_rows.txt")
    found = {finding.name: finding.health for finding in backend.doctor_checks()}
    assert found["npu"] is Health.OK
    assert found["torch"] is Health.BROKEN
    assert found["triton"] is Health.BROKEN
