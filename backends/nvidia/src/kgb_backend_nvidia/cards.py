"""One usable GPU, or one MIG instance of a GPU, as NVML or nvidia-smi describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kgb_backend_nvidia.chips import chip_named
from kgb_core.models import Device

PCI_VENDOR = 0x10DE
PROHIBITED = "its compute mode is Prohibited: nvidia-smi -c DEFAULT changes that"
NO_INSTANCE = "MIG is enabled and no instance exists: nvidia-smi mig -cgi creates one"
_BRANDS = re.compile(r"\b(NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID)\b", re.IGNORECASE)
_CORES_PER_MULTIPROCESSOR = {7: 64, 8: 128, 9: 128, 10: 128, 12: 128}
"""CUDA cores in a multiprocessor by major compute capability; 8.0 has 64 (A100 white paper)."""


@dataclass(frozen=True)
class Card:
    """What is known of one GPU or MIG instance; `None` where the driver didn't say.

    Attributes:
        gpu: the index of the GPU in nvidia-smi's order; instances of one GPU share it.
        name: the product name.
        uuid: what CUDA_VISIBLE_DEVICES takes: `GPU-…` or `MIG-…`.
        pci_vendor: the PCI vendor id; other vendors' tools imitate nvidia-smi.
        pci_bus_id: as the driver writes it.
        memory_bytes: total memory; `None` also where it is shared with the host.
        capability: compute capability, `9.0`.
        cores: CUDA cores.
        driver: the driver's version.
        problem: what keeps it from being used, in the driver's words.
    """

    gpu: int
    name: str
    uuid: str | None = None
    pci_vendor: int | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    capability: str | None = None
    cores: int | None = None
    driver: str | None = None
    problem: str | None = None

    @property
    def is_ours(self) -> bool:
        """True for an NVIDIA GPU: by its PCI vendor id where that is known, else by its name."""
        if self.pci_vendor is not None:
            return self.pci_vendor == PCI_VENDOR
        return bool(_BRANDS.search(self.name))

    @property
    def is_instance(self) -> bool:
        """True for a MIG instance."""
        return bool(self.uuid and self.uuid.startswith("MIG-"))

    @property
    def arch(self) -> str | None:
        """The architecture as Triton and CUDA name it: `sm90`."""
        return "sm" + self.capability.replace(".", "") if self.capability else None

    @property
    def multiprocessors(self) -> int | None:
        """Multiprocessors, counted from the cores: NVML doesn't tell them."""
        if self.cores is None or self.capability is None:
            return None
        per = (
            64
            if self.capability == "8.0"
            else _CORES_PER_MULTIPROCESSOR.get(int(self.capability.split(".")[0]))
        )
        return self.cores // per if per else None


def instance(card: Card, profile: str, uuid: str, memory_bytes: int | None = None) -> Card:
    """A MIG instance of a GPU, usable where the GPU as a whole is not.

    Args:
        card: the GPU.
        profile: the instance's name, as `MIG 1g.10gb`.
        uuid: its id.
        memory_bytes: its own memory.
    """
    name = f"{card.name} {profile}"
    return replace(card, name=name, uuid=uuid, memory_bytes=memory_bytes, cores=None, problem=None)


def devices_of(cards: Iterable[Card]) -> list[Device]:
    """Cards as devices.

    A GPU keeps nvidia-smi's index. Where there are MIG instances the devices are numbered through instead,
    since instances share their GPU's index.
    """
    listed = list(cards)
    numbered = any(card.is_instance for card in listed)
    return [_device(card, place if numbered else card.gpu) for place, card in enumerate(listed)]


def _device(card: Card, index: int) -> Device:
    chip = chip_named(card.name)
    return Device(
        index=index,
        name=card.name,
        uuid=card.uuid,
        visibility_id=card.uuid,
        pci_bus_id=card.pci_bus_id,
        arch=card.arch,
        memory_bytes=card.memory_bytes,
        last_level_cache_bytes=chip.cache_bytes if chip else None,
        compute_units=card.multiprocessors,
        driver_version=card.driver,
        state=card.problem,
    )
