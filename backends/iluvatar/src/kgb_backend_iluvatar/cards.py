"""One device, as ixML or ixsmi describes it; a board may carry two."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgb_backend_iluvatar.chips import arch_of
from kgb_core.models import Device

PCI_VENDOR = 0x1E3E
_BRANDS = re.compile(r"\bIluvatar\b|^(BI|MR|TG)-V[0-9]", re.IGNORECASE)


@dataclass(frozen=True)
class Card:
    """What is known of one device; `None` where CoreX didn't say.

    Attributes:
        index: CoreX's own index.
        name: the product name, empty where it is not known.
        uuid: its id, `GPU-…`.
        pci_vendor: the PCI vendor id.
        pci_bus_id: as CoreX writes it.
        memory_bytes: total memory.
        capability: compute capability, `7.1`.
        driver: the driver's version.
        problem: what keeps it from being used.
    """

    index: int
    name: str = ""
    uuid: str | None = None
    pci_vendor: int | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    capability: str | None = None
    driver: str | None = None
    problem: str | None = None

    @property
    def is_ours(self) -> bool:
        """True for Iluvatar's: by its PCI vendor id where that is known, else by its name."""
        if self.pci_vendor is not None:
            return self.pci_vendor == PCI_VENDOR
        return bool(_BRANDS.search(self.name))

    @property
    def title(self) -> str:
        """The product name, or what is known."""
        return self.name or f"Iluvatar GPU {self.index}"

    @property
    def arch(self) -> str | None:
        """The architecture as CoreX's compiler names it: `ivcore11`."""
        return arch_of(self.capability, self.name)


def each_once(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards by index, the first of each: a tool may print one twice."""
    found: dict[int, Card] = {}
    for card in cards:
        found.setdefault(card.index, card)
    return tuple(found[index] for index in sorted(found))


def devices_of(cards: Iterable[Card]) -> list[Device]:
    """Cards as devices; the index pins a worker, since no source says that CoreX takes ids."""
    return [
        Device(
            index=card.index,
            name=card.title,
            uuid=card.uuid,
            pci_bus_id=card.pci_bus_id,
            arch=card.arch,
            memory_bytes=card.memory_bytes,
            driver_version=card.driver,
            state=card.problem,
        )
        for card in cards
    ]
