"""What `kgb doctor` says of Hygon's chips and of the torch beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kgb_backend_hygon import bus, smi, stack
from kgb_backend_hygon.smi import Reading
from kgb_backend_hygon.stack import TorchBuild
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.tools import SYSFS, PciDevice

FIX = "install Hygon's driver, so that hy-smi lists the card, then run kgb doctor again"


def checks(sysfs: Path = SYSFS) -> list[DoctorCheck]:
    """The chip and its driver; where there is a chip, torch too.

    Args:
        sysfs: where sysfs is mounted.
    """
    answer, on_bus = smi.read(sysfs), bus.chips_on_bus(sysfs)
    found = [_chip(answer, on_bus)]
    if answer.cards:
        found += _torch(stack.torch_build())
    return found


def _chip(answer: Reading, on_bus: list[PciDevice]) -> DoctorCheck:
    if answer.cards:
        names = ", ".join(dict.fromkeys(card.title for card in answer.cards))
        told = f"{len(answer.cards)} listed by {answer.tool}: {names}"
        return DoctorCheck(name="hygon", health=Health.OK, found=told)
    if on_bus:
        told = f"PCI device 1d94:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {answer.problem}"
        return DoctorCheck(name="hygon", health=Health.BROKEN, found=told, fix=FIX)
    return DoctorCheck(
        name="hygon",
        health=Health.NONE,
        found=f"no PCI device 1d94:*; {answer.problem}",
        fix=f"if there is a DCU: {FIX}",
    )


def _torch(build: TorchBuild | None) -> Iterator[DoctorCheck]:
    if build is None or not build.is_ours:
        told = f"torch {build.version} is not Hygon's build" if build else "torch is not installed"
        fix = "install the torch and Triton of your DTK release, from Hygon's developer site"
        yield DoctorCheck(name="hygon stack", health=Health.BROKEN, found=told, fix=fix)
