"""The devices of this process: the first source that lists AMD cards, other vendors' cards left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from kgb_backend_amd import amd_smi, kfd, library, pci, rocm_smi
from kgb_backend_amd.cards import Card, bus_id, devices_of
from kgb_backend_amd.kfd import Node
from kgb_backend_amd.machine import Machine
from kgb_backend_amd.reading import Reading
from kgb_backend_amd.visibility import visible
from kgb_core.models import Device


def read(machine: Machine) -> Reading:
    """Every AMD card of the machine; a source is asked only where those before it list none.

    Args:
        machine: where to look.
    """
    nodes = kfd.nodes(machine.sysfs)
    sources: tuple[Callable[[], Reading], ...] = (
        library.read,
        lambda: amd_smi.read(machine),
        lambda: rocm_smi.read(machine),
        lambda: kfd.read(nodes),
    )
    problems = []
    for ask in sources:
        answer = ask()
        known = [_located(card, nodes, machine) for card in answer.cards]
        ours = tuple(card for card in known if card.is_ours)
        if ours:
            return replace(answer, cards=ours, problem="")
        problems.append(answer.problem or f"{answer.source} lists another vendor's cards: {_names(known)}")
    return Reading("amdsmi, amd-smi, rocm-smi and kfd", problem="; ".join(problems))


def devices(machine: Machine) -> list[Device]:
    """The devices that this process may use."""
    cards = read(machine).cards
    return devices_of(visible(cards, os.environ), cards)


def _located(card: Card, nodes: Sequence[Node], machine: Machine) -> Card:
    """The card with its vendor and its rank, as far as sysfs tells them."""
    place = bus_id(card.pci_bus_id)
    vendor = pci.vendor_at(machine.sysfs, place) if place and card.pci_vendor is None else card.pci_vendor
    return replace(card, pci_vendor=vendor, rank=_rank(card, place, nodes))


def _rank(card: Card, place: str | None, nodes: Sequence[Node]) -> int | None:
    same_node = [node for node in nodes if card.node == node.number]
    same_place = [node for node in nodes if place and place == node.card.pci_bus_id]
    found = same_node or same_place
    return found[0].rank if len(found) == 1 else None


def _names(cards: Sequence[Card]) -> str:
    return ", ".join(dict.fromkeys(card.name or f"PCI vendor {card.pci_vendor or 0:#06x}" for card in cards))
