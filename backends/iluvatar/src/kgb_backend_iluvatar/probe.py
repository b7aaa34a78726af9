"""Evidence of Iluvatar's stack: the PCI bus, cards that CoreX lists, and the build of torch.

CoreX looks like CUDA in all else: torch says `cuda`, and an `nvidia-smi` may be among its tools.
"""

from __future__ import annotations

from kgb_backend_iluvatar import stack
from kgb_backend_iluvatar.discovery import read
from kgb_backend_iluvatar.info import INFO
from kgb_backend_iluvatar.machine import Machine
from kgb_core.models import Probe
from kgb_core.plugins.evidence import TOOL_SCORE, pci_evidence, total

TORCH_SCORE = 10
"""The build of torch says whose chips it can use, where chips of two vendors are; alone it is no chip."""


def evidence(machine: Machine) -> Probe:
    """What bus, driver and torch say.

    Args:
        machine: where to look.
    """
    found = [*pci_evidence(INFO, machine.sysfs), *_cards(machine)]
    torch = stack.installed("torch")
    if torch is not None and torch.is_corex:
        score = TORCH_SCORE if found else 0
        found.append(Probe(score=score, evidence=(f"torch {torch.version} is built for CoreX",)))
    return total(found)


def _cards(machine: Machine) -> list[Probe]:
    answer = read(machine)
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.title for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.source} lists {names}",))]
