"""The devices of this process, by hy-smi, or by the rocm-smi that Hygon's toolkit has too."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgb_backend_hygon import chips, smi
from kgb_backend_hygon.smi import Card
from kgb_core.models import Device
from kgb_core.plugins.tools import SYSFS

VARIABLE = "HIP_VISIBLE_DEVICES"


def discover(sysfs: Path = SYSFS) -> list[Device]:
    """Every DCU that `HIP_VISIBLE_DEVICES` leaves to this process, or none.

    Args:
        sysfs: where sysfs is mounted.
    """
    return [_device(card) for card in visible(smi.read(sysfs).cards, os.environ)]


def visible(cards: Sequence[Card], environment: Mapping[str, str]) -> list[Card]:
    """The cards whose index the variable names, in its order; the first entry that names none ends it.

    Args:
        cards: every card of the machine.
        environment: the variables of this process.
    """
    if VARIABLE not in environment:
        return list(cards)
    by_index = {str(card.index): card for card in cards}
    chosen: list[Card] = []
    for entry in environment[VARIABLE].split(","):
        card = by_index.get(entry.strip())
        if card is None or card in chosen:
            break
        chosen.append(card)
    return chosen


def _device(card: Card) -> Device:
    return Device(
        index=card.index,
        name=card.title,
        uuid=card.unique_id,
        pci_bus_id=card.pci_bus_id,
        arch=chips.arch_of(card.title),
        memory_bytes=card.memory_bytes,
    )
