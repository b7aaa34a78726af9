"""Evidence of Hygon's stack. It is made to look like ROCm, so what tells it apart is looked for each time."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_hygon import bus, smi, stack
from kgb_core.models import Probe
from kgb_core.plugins.evidence import PCI_SCORE, TOOL_SCORE, total
from kgb_core.plugins.tools import SYSFS

TORCH_SCORE = 10
"""Whose chips torch can use decides where chips of two vendors are; alone it is no chip."""


def evidence(sysfs: Path = SYSFS) -> Probe:
    """What the PCI bus, the tools and the installed torch say.

    Args:
        sysfs: where sysfs is mounted.
    """
    found = [*_bus(sysfs), *_cards(sysfs)]
    return total([*found, *_torch(bool(found))])


def _bus(sysfs: Path) -> list[Probe]:
    chips = bus.chips_on_bus(sysfs)
    if not chips:
        return []
    where = ", ".join(chip.bus_id for chip in chips)
    return [Probe(score=PCI_SCORE, evidence=(f"PCI vendor {bus.VENDOR:#06x} at {where}",))]


def _cards(sysfs: Path) -> list[Probe]:
    answer = smi.read(sysfs)
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.title for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.tool} lists {names}",))]


def _torch(beside_a_chip: bool) -> list[Probe]:
    build = stack.torch_build()
    if build is None or not build.is_ours:
        return []
    score = TORCH_SCORE if beside_a_chip else 0
    return [Probe(score=score, evidence=(f"torch {build.version} is Hygon's build",))]
