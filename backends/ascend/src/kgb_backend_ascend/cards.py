"""One chip, as DCMI or npu-smi describes it. A card may carry two: Atlas A3 and 300I Duo do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kgb_backend_ascend.chips import Generation, arch_of, chip_named, generation_of
from kgb_core.models import Device

HEALTHY = "OK"


@dataclass(frozen=True)
class Card:
    """What is known of one chip; `None` where the driver didn't say.

    Attributes:
        npu: npu-smi's number of the card; 310P boards count 0, 32, 32768.
        chip: which chip of the card it is.
        name: what npu-smi calls it, `910B3`; every chip of an Atlas A3 is just `Ascend910`.
        npu_name: what tells chips of an Atlas A3 apart, `9392`.
        logic: the driver's logical id, which torch and ASCEND_RT_VISIBLE_DEVICES count by.
        health: `OK`, or what is wrong in npu-smi's words.
        pci_bus_id: as the driver writes it; the two chips of a 310P board share one.
        memory_bytes: HBM; where there is none, the other memory.
        cores: AI cores.
        driver: the driver's version.
    """

    npu: int
    chip: int
    name: str
    npu_name: str | None = None
    logic: int | None = None
    health: str | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    cores: int | None = None
    driver: str | None = None

    @property
    def product(self) -> str:
        """The name with the vendor's: `Ascend 910B3`, `Ascend 910_9392`."""
        plain = self.name.removeprefix("Ascend").strip()
        return f"Ascend {plain}_{self.npu_name}" if self.npu_name else f"Ascend {plain}"

    @property
    def index(self) -> int:
        """The logical id."""
        return self.logic if self.logic is not None else 0

    @property
    def problem(self) -> str | None:
        """What keeps it from being used: a health other than OK, or that no Triton knows it."""
        if self.health not in (None, HEALTHY):
            return f"health {self.health}"
        return "no Triton compiles for it" if generation_of(self.product) is Generation.P310 else None


def numbered(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards with a logical id each: the driver's where every chip has one of its own, else their place.

    A chip that is listed twice, as garbled text may, counts once.

    Args:
        cards: in the tool's order, which is that of logical ids.
    """
    found: dict[tuple[int, int], Card] = {}
    for card in cards:
        found.setdefault((card.npu, card.chip), card)
    chips = tuple(found.values())
    known = {card.logic for card in chips}
    if None not in known and len(known) == len(chips):
        return chips
    return tuple(replace(card, logic=place) for place, card in enumerate(chips))


def devices_of(cards: Sequence[Card]) -> list[Device]:
    """Chips as devices; the index is the logical id.

    The size of the last cache stays unknown, so that timers flush as much as they do for any unknown chip.
    """
    return [_device(card) for card in cards]


def _device(card: Card) -> Device:
    chip = chip_named(card.product)
    return Device(
        index=card.index,
        name=card.product,
        pci_bus_id=card.pci_bus_id,
        arch=arch_of(card.product),
        memory_bytes=card.memory_bytes,
        compute_units=card.cores or (chip.cores if chip else None),
        driver_version=card.driver,
        state=card.problem,
    )
