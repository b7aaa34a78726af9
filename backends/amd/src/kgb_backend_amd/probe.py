"""Evidence of AMD's stack: the PCI bus, the cards that AMD's sources list, and the build of torch."""

from __future__ import annotations

from kgb_backend_amd import kfd, pci, torch_build
from kgb_backend_amd.discovery import read
from kgb_backend_amd.info import INFO
from kgb_backend_amd.machine import Machine
from kgb_backend_amd.torch_build import TorchBuild
from kgb_core.models import Probe
from kgb_core.plugins.evidence import TOOL_SCORE, pci_evidence, total

TORCH_SCORE = 10
"""The build of torch says whose chips it can use, where chips of two vendors are; alone it is no chip."""


def evidence(machine: Machine) -> Probe:
    """What bus, driver and torch say.

    Args:
        machine: where to look.
    """
    found = [*_bus(machine), *_cards(machine)]
    build = torch_build.installed()
    if build is not None and build.is_ours:
        found.append(_torch(build, beside_a_chip=any(item.score for item in found)))
    return total(found)


def _bus(machine: Machine) -> list[Probe]:
    """The chips on the bus; a display without the compute driver is told, and counts nothing."""
    found = pci_evidence(INFO, machine.sysfs)
    displays = [pci.is_only_display(machine.sysfs, device) for device in pci.accelerators(machine.sysfs)]
    if not found or kfd.nodes(machine.sysfs) or not all(displays):
        return found
    told = f"{found[0].evidence[0]} is a display, without the driver's /sys/class/kfd"
    return [Probe(score=0, evidence=(told,))]


def _cards(machine: Machine) -> list[Probe]:
    answer = read(machine)
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.title for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.source} lists {names}",))]


def _torch(build: TorchBuild, beside_a_chip: bool) -> Probe:
    score = TORCH_SCORE if beside_a_chip else 0
    return Probe(score=score, evidence=(f"torch {build.version} is built for HIP {build.hip}",))
