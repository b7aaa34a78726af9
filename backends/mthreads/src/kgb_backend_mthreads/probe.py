"""Evidence of Moore Threads' stack: the PCI bus, and cards that the driver lists."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_mthreads import stack
from kgb_backend_mthreads.discovery import read
from kgb_backend_mthreads.info import INFO
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
    """torch_musa; it may be installed where no chip is, so alone it counts nothing."""
    installed = stack.torch_musa_version()
    if installed is None:
        return []
    score = FINGERPRINT_SCORE if with_chip else 0
    return [Probe(score=score, evidence=(f"torch_musa {installed} is installed",))]
