"""One GPU, one die of a GPU or one partition of it, as a tool or the kernel describes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgb_backend_amd.chips import Chip, chip_of
from kgb_core.models import Device

PCI_VENDOR = 0x1002
_BRANDS = re.compile(r"\b(AMD|ATI|Radeon|Instinct|FirePro|Advanced Micro Devices)\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(Hygon|Haiguang|DCU|HCU)\b", re.IGNORECASE)
"""Hygon's chips come with a rocm-smi of their own and set `torch.version.hip` as well."""

_ARCH = re.compile(r"gfx(9|1[0-9])([0-9a-f])([0-9a-f])")
_DECIMAL_ARCH = re.compile(r"gfx(9|1[0-9])([0-9])([0-9]{2})")


@dataclass(frozen=True)
class Card:
    """What is known of one device; `None` where nobody said.

    Attributes:
        index: the tool's own index.
        name: the product name, empty where it is not known.
        vendor: the vendor's name, in the tool's words.
        pci_vendor: the PCI vendor id; other vendors' tools imitate AMD's.
        pci_device: the PCI device id.
        pci_bus_id: as the tool writes it.
        unique_id: the number behind ROCm's `GPU-…` id; partitions of one GPU share it.
        node: its node in the kernel's compute topology.
        rank: its place among the GPUs of that topology, which ROCR_VISIBLE_DEVICES counts by.
        arch: the architecture, `gfx942`.
        memory_bytes: total memory.
        cache_bytes: last-level cache, as the tool lists it.
        compute_units: compute units.
        driver: the driver's version.
    """

    index: int
    name: str = ""
    vendor: str | None = None
    pci_vendor: int | None = None
    pci_device: int | None = None
    pci_bus_id: str | None = None
    unique_id: int | None = None
    node: int | None = None
    rank: int | None = None
    arch: str | None = None
    memory_bytes: int | None = None
    cache_bytes: int | None = None
    compute_units: int | None = None
    driver: str | None = None

    @property
    def is_ours(self) -> bool:
        """True for an AMD GPU: by its PCI vendor id where that is known, else by the words of the tool."""
        if self.pci_vendor is not None:
            return self.pci_vendor == PCI_VENDOR
        words = f"{self.name} {self.vendor or ''}"
        return bool(_BRANDS.search(words)) and not _OTHERS.search(words)

    @property
    def chip(self) -> Chip | None:
        """The product, where it is one with public numbers."""
        return chip_of(self.name, self.pci_device)

    @property
    def title(self) -> str:
        """One name for a product, whatever a tool calls it; else the tool's, else what is known."""
        known = self.chip
        return known.names[0] if known else self.name or f"AMD GPU {self.arch or self.index}"

    @property
    def uuid(self) -> str | None:
        """The id that ROCR_VISIBLE_DEVICES takes; `None` where the chip has none."""
        return f"GPU-{self.unique_id:016x}" if self.unique_id else None


def arch_of(text: str | None) -> str | None:
    """The architecture in a tool's words, without features: `gfx942:sramecc+:xnack-` is `gfx942`.

    rocm-smi writes decimals into some: `gfx9010` is gfx90a, `gfx11001` is gfx1101.

    Args:
        text: what the tool wrote.
    """
    name = (text or "").strip().lower().partition(":")[0]
    if _ARCH.fullmatch(name):
        return name
    parts = _DECIMAL_ARCH.fullmatch(name)
    if parts is None or int(parts[3]) > 15:
        return None
    return f"gfx{parts[1]}{parts[2]}{int(parts[3]):x}"


def bus_id(text: str | None) -> str | None:
    """A PCI bus id in one form, `0000:c1:00.0`; tools write the domain with four or eight digits."""
    parts = re.fullmatch(
        r"(?:([0-9a-f]{1,8}):)?([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])", (text or "").strip().lower()
    )
    return f"{int(parts[1] or '0', 16):04x}:{parts[2]}:{parts[3]}.{parts[4]}" if parts else None


def pin(card: Card, cards: Sequence[Card]) -> str | None:
    """What ROCR_VISIBLE_DEVICES must be for one card: its id where no other has it, else its rank.

    Args:
        card: the card.
        cards: every card of the machine.

    Returns:
        `None` where neither is known; the tool's index is all there is then.
    """
    if card.uuid is not None and sum(other.uuid == card.uuid for other in cards) == 1:
        return card.uuid
    return None if card.rank is None else str(card.rank)


def devices_of(shown: Sequence[Card], cards: Sequence[Card]) -> list[Device]:
    """Cards as devices.

    Args:
        shown: those that this process may use.
        cards: every card of the machine.
    """
    return [_device(card, pin(card, cards)) for card in shown]


def _device(card: Card, pinned: str | None) -> Device:
    return Device(
        index=card.index,
        name=card.title,
        uuid=card.uuid,
        visibility_id=pinned,
        pci_bus_id=card.pci_bus_id,
        arch=card.arch,
        memory_bytes=card.memory_bytes,
        last_level_cache_bytes=card.chip.cache_bytes if card.chip else card.cache_bytes,
        compute_units=card.compute_units,
        driver_version=card.driver,
    )
