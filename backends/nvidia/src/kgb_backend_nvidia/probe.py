"""Evidence of NVIDIA's stack: the PCI bus, and cards, since other vendors ship an nvidia-smi too."""

from __future__ import annotations

from kgb_backend_nvidia.discovery import read
from kgb_backend_nvidia.info import INFO
from kgb_core.models import Probe
from kgb_core.plugins.evidence import TOOL_SCORE, pci_evidence, total


def evidence() -> Probe:
    """What the PCI bus and the driver say."""
    return total([*pci_evidence(INFO), *_cards()])


def _cards() -> list[Probe]:
    answer = read()
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.name for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.source} lists {names}",))]
