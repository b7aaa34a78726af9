"""Evidence of MetaX's stack: the PCI bus, cards that the driver lists, and whose torch is installed."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_metax import stack
from kgb_backend_metax.discovery import read
from kgb_backend_metax.info import INFO
from kgb_core.models import Probe
from kgb_core.plugins.evidence import TOOL_SCORE, pci_evidence, total
from kgb_core.plugins.tools import SYSFS

FINGERPRINT_SCORE = 5


def evidence(sysfs: Path = SYSFS) -> Probe:
    """What the PCI bus, the driver and the installed torch say.

    Args:
        sysfs: where sysfs is mounted.
    """
    chips = [*pci_evidence(INFO, sysfs), *_cards()]
    return total([*chips, *_fingerprint(bool(chips))])


def _cards() -> list[Probe]:
    answer = read()
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.name for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.source} lists {names}",))]


def _fingerprint(with_chip: bool) -> list[Probe]:
    """MetaX's torch; it may be installed where no chip is, so alone it counts nothing."""
    version = stack.torch_version()
    if not stack.is_metax_build(version):
        return []
    score = FINGERPRINT_SCORE if with_chip else 0
    return [Probe(score=score, evidence=(f"torch {version} is MetaX's build",))]
