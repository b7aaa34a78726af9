"""One GPU, as MTML or mthreads-gmi describes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgb_backend_mthreads.chips import arch_of
from kgb_backend_mthreads.info import INFO
from kgb_core.models import Device


@dataclass(frozen=True)
class Card:
    """What is known of one GPU; `None` where the driver didn't say.

    Attributes:
        gpu: the index in mthreads-gmi's order.
        name: the product name, `MTT S4000`.
        uuid: its id; without a prefix.
        pci_vendor: the PCI vendor id.
        pci_bus_id: as the driver writes it.
        memory_bytes: total memory.
        driver: the driver's version.
        problem: what keeps it from being used, in the driver's words.
    """

    gpu: int
    name: str
    uuid: str | None = None
    pci_vendor: int | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    driver: str | None = None
    problem: str | None = None

    @property
    def is_ours(self) -> bool:
        """False for a card that is known to be another vendor's."""
        return self.pci_vendor in (None, INFO.pci_vendor_id)


def first_of_each(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards without those whose index came before: garbled text may repeat a line."""
    found: dict[int, Card] = {}
    for card in cards:
        found.setdefault(card.gpu, card)
    return tuple(found.values())


def devices_of(cards: Sequence[Card]) -> list[Device]:
    """Cards as devices; the index stays mthreads-gmi's.

    A worker is pinned by index: that MUSA_VISIBLE_DEVICES takes UUIDs is stated nowhere. The size of the last
    cache stays unknown, so that timers flush as much as they do for any unknown chip.
    """
    return [
        Device(
            index=card.gpu,
            name=card.name,
            uuid=card.uuid,
            pci_bus_id=card.pci_bus_id,
            arch=arch_of(card.name),
            memory_bytes=card.memory_bytes,
            driver_version=card.driver,
            state=card.problem,
        )
        for card in cards
    ]
