"""One GPU, as MXSML or mx-smi describes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgb_backend_metax.chips import family_of, model_of
from kgb_core.models import Device


@dataclass(frozen=True)
class Card:
    """What is known of one GPU; `None` where the driver didn't say.

    Attributes:
        gpu: the index in mx-smi's order, of the GPU and not of its board.
        name: the product name; the same card is `MXC500` in one tool and `MetaX C500` in another.
        uuid: its id, `GPU-…`.
        pci_bus_id: as the driver writes it.
        memory_bytes: total memory; of a slice it is unknown.
        driver: the driver's version.
        is_slice: True for a share of a card (sGPU), whose memory and time are less than a card's.
        problem: what keeps it from being used, in the driver's words.
    """

    gpu: int
    name: str
    uuid: str | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    driver: str | None = None
    is_slice: bool = False
    problem: str | None = None

    @property
    def is_ours(self) -> bool:
        """True where the name is one of MetaX's: other companies have an mx-smi, too."""
        return self.name.startswith("MetaX") or model_of(self.name) is not None


def first_of_each(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards without those whose index came before: garbled text may repeat a line."""
    found: dict[int, Card] = {}
    for card in cards:
        found.setdefault(card.gpu, card)
    return tuple(found.values())


def devices_of(cards: Sequence[Card]) -> list[Device]:
    """Cards as devices; the index stays mx-smi's, and pins a worker.

    The size of the last cache stays unknown, so that timers flush as much as they do for any unknown chip.
    """
    return [
        Device(
            index=card.gpu,
            name=card.name,
            uuid=card.uuid,
            pci_bus_id=card.pci_bus_id,
            arch=_arch(card.name),
            memory_bytes=None if card.is_slice else card.memory_bytes,
            driver_version=card.driver,
            state=card.problem,
        )
        for card in cards
    ]


def _arch(name: str) -> str | None:
    family = family_of(name)
    return family.arch if family else None
