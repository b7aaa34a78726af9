"""Evidence that a vendor's stack is on this machine: the PCI bus and the vendor's tool, with a score each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgb_core.models.device import BackendInfo, Probe
from kgb_core.plugins.tools import SYSFS, pci_accelerators, run_tool

HOST_SCORE = 1
"""A backend that needs no hardware is always there, and yields to every chip."""
PCI_SCORE = 40
"""The chip is in the machine; its driver may not be."""
TOOL_SCORE = 50
"""The driver answers, so this outweighs a chip that is only there."""


def pci_evidence(info: BackendInfo, sysfs: Path = SYSFS) -> list[Probe]:
    """What the PCI bus says about a vendor: nothing, or one probe.

    Args:
        info: whose chips to look for.
        sysfs: where sysfs is mounted.
    """
    if info.pci_vendor_id is None:
        return []
    found = pci_accelerators(info.pci_vendor_id, sysfs)
    if not found:
        return []
    where = ", ".join(device.bus_id for device in found)
    return [Probe(score=PCI_SCORE, evidence=(f"PCI vendor {info.pci_vendor_id:#06x} at {where}",))]


def tool_evidence(info: BackendInfo) -> list[Probe]:
    """What the vendor's tool says: nothing unless it ends well and says the vendor's word.

    Args:
        info: names the tool, and the word that tells it from another vendor's tool of the same name.
    """
    if info.smi_tool is None or info.smi_word is None:
        return []
    said = run_tool([info.smi_tool])
    if said.problem or info.smi_word.casefold() not in said.text.casefold():
        return []
    return [Probe(score=TOOL_SCORE, evidence=(f"{info.smi_tool} says {info.smi_word}",))]


def total(found: Sequence[Probe]) -> Probe:
    """One probe out of several pieces of evidence."""
    return Probe(
        score=sum(item.score for item in found),
        evidence=tuple(text for item in found for text in item.evidence),
    )
