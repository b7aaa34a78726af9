"""Checks for `kgb doctor`: the card, its driver, CoreX beside it, torch and Triton, each with its fix."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from kgb_backend_iluvatar import stack
from kgb_backend_iluvatar.cards import PCI_VENDOR
from kgb_backend_iluvatar.discovery import read
from kgb_backend_iluvatar.machine import Machine
from kgb_backend_iluvatar.reading import Reading
from kgb_backend_iluvatar.stack import Build
from kgb_backend_iluvatar.visibility import VARIABLE, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.tools import PciDevice, pci_accelerators

LOADER = "cannot open shared object file"
"""What the loader says where LD_LIBRARY_PATH lacks CoreX; even ixsmi needs it."""


def checks(machine: Machine) -> list[DoctorCheck]:
    """Every check of this machine."""
    answer, on_bus = read(machine), pci_accelerators(PCI_VENDOR, machine.sysfs)
    found = [devices_check(answer, on_bus, machine, os.environ.get(VARIABLE))]
    if answer.cards:
        found.extend(match_check(answer))
        found.extend(stack_checks(stack.installed("torch"), stack.installed("triton"), machine.packages()))
    return found


def devices_check(
    answer: Reading, on_bus: list[PciDevice], machine: Machine, chosen: str | None
) -> DoctorCheck:
    """The card and its driver.

    Args:
        answer: what ixML or ixsmi said.
        on_bus: Iluvatar's devices on the PCI bus.
        machine: where to look.
        chosen: CUDA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if answer.cards:
        return _cards_check(answer, chosen)
    said = answer.problem or f"{answer.source} lists no GPU"
    if not on_bus:
        return DoctorCheck(
            name="iluvatar",
            health=Health.NONE,
            found=f"no PCI device 1e3e:*; {said}",
            fix="if there is an Iluvatar card: install its driver and CoreX, then run kgb doctor again",
        )
    return DoctorCheck(
        name="iluvatar",
        health=Health.BROKEN,
        found=f"PCI device 1e3e:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {said}",
        fix=_fix(said, machine),
    )


def _fix(said: str, machine: Machine) -> str:
    """The next step where a card is on the bus and CoreX lists none."""
    if not machine.corex.is_dir():
        return f"install CoreX, which is not in {machine.corex}; in a container use an image that has it"
    if LOADER in said:
        folders = f"{machine.corex}/lib64:{machine.corex}/lib"
        return f"export LD_LIBRARY_PATH={folders}:$LD_LIBRARY_PATH"
    if not machine.device_files():
        return (
            "load the driver (modprobe iluvatar); in a container: start it with --device=/dev/iluvatar0, "
            "or with --runtime iluvatar -e IX_VISIBLE_DEVICES=0"
        )
    return f"{machine.corex}/bin/ixsmi must list the card; a driver of another CoreX version can't be used"


def _cards_check(answer: Reading, chosen: str | None) -> DoctorCheck:
    shown = visible(answer.cards, chosen)
    broken = [card for card in shown if card.problem]
    if broken:
        return DoctorCheck(
            name="iluvatar",
            health=Health.BROKEN,
            found=f"{broken[0].title} {broken[0].index}: {broken[0].problem}",
            fix=f"reset the card, or leave it out of {VARIABLE}",
        )
    if not shown:
        return DoctorCheck(
            name="iluvatar",
            health=Health.WARN,
            found=f"{VARIABLE}={chosen} hides all of {len(answer.cards)} GPUs",
            fix=f"unset {VARIABLE}",
        )
    kinds = ", ".join(dict.fromkeys(card.title for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    driver = f"driver {answer.driver}" if answer.driver else "driver unknown"
    return DoctorCheck(
        name="iluvatar", health=Health.OK, found=f"{count}: {kinds}; {driver}, by {answer.source}"
    )


def match_check(answer: Reading) -> Iterator[DoctorCheck]:
    """CoreX and driver of different versions: cards are listed, and memory can't be had.

    Args:
        answer: what ixML or ixsmi said.
    """
    if answer.is_mismatched:
        version = answer.driver or "of the driver"
        yield DoctorCheck(
            name="iluvatar driver",
            health=Health.BROKEN,
            found=f"ixsmi shows no CUDA version: CoreX and the driver {answer.driver or ''} differ",
            fix=f"use an image with CoreX {version}; ixsmi must show a CUDA version (10.2)",
        )


def stack_checks(torch: Build | None, triton: Build | None, packages: Path) -> Iterator[DoctorCheck]:
    """Torch and Triton, both of which must be CoreX's.

    Args:
        torch: the installed build; `None` where there is none.
        triton: likewise.
        packages: where CoreX puts its Python packages.
    """
    wrong = [_wrong(name, build) for name, build in (("torch", torch), ("Triton", triton))]
    told = "; ".join(filter(None, wrong))
    if told:
        fix = _stack_fix(packages)
        yield DoctorCheck(name="iluvatar stack", health=Health.BROKEN, found=told, fix=fix)
    elif torch and triton:
        found = f"torch {torch.version}, {triton.distribution} {triton.version}"
        yield DoctorCheck(name="iluvatar stack", health=Health.OK, found=found)


def _wrong(name: str, build: Build | None) -> str:
    if build is None:
        return f"{name} not installed"
    return "" if build.is_corex else f"{name} {build.version} is not built for CoreX"


def _stack_fix(packages: Path) -> str:
    if (packages / "torch").is_dir():
        return f"echo {packages} > \"$(python -c 'import site; print(site.getsitepackages()[0])')/corex.pth\""
    return "install torch and triton from Iluvatar's CoreX SDK, then run kgb doctor again"
