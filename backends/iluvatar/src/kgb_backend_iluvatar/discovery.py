"""The devices of this process: ixML's answer or ixsmi's, cards of other vendors left out."""

from __future__ import annotations

import os
from dataclasses import replace

from kgb_backend_iluvatar import ixml, smi
from kgb_backend_iluvatar.cards import devices_of
from kgb_backend_iluvatar.machine import Machine
from kgb_backend_iluvatar.reading import Reading
from kgb_backend_iluvatar.visibility import VARIABLE, visible
from kgb_core.models import Device


def read(machine: Machine) -> Reading:
    """Every Iluvatar card of the machine; ixsmi is asked only where ixML lists none.

    Args:
        machine: where to look.
    """
    answer = ixml.read(machine)
    if not answer.cards:
        told = smi.read(machine)
        answer = replace(told, problem="; ".join(filter(None, (answer.problem, told.problem))))
    ours = tuple(card for card in answer.cards if card.is_ours)
    if answer.cards and not ours:
        names = ", ".join(dict.fromkeys(card.title for card in answer.cards))
        return replace(answer, cards=(), problem=f"{answer.source} lists another vendor's cards: {names}")
    return replace(answer, cards=ours, problem="" if ours else answer.problem)


def devices(machine: Machine) -> list[Device]:
    """The devices that this process may use."""
    return devices_of(visible(read(machine).cards, os.environ.get(VARIABLE)))
