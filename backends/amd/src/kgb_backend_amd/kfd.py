"""Discovery through the kernel's compute topology in sysfs: needs no tool, and tells how ROCm counts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kgb_backend_amd.cards import Card
from kgb_backend_amd.reading import Reading

SOURCE = "kfd"
TOPOLOGY = Path("class/kfd/kfd/topology/nodes")
_VIDEO_MEMORY = (1, 2)
"""Heap types of a memory bank: video memory that the host can and can't reach."""


@dataclass(frozen=True)
class Node:
    """One GPU of the topology.

    Attributes:
        number: its node.
        rank: its place among the GPUs, which ROCR_VISIBLE_DEVICES counts by.
        card: what the kernel tells of it.
    """

    number: int
    rank: int
    card: Card


def nodes(sysfs: Path) -> list[Node]:
    """The GPUs of every vendor that has this driver, in order; those closed to this process are absent.

    Args:
        sysfs: where sysfs is mounted.
    """
    found = sorted(int(entry.name) for entry in (sysfs / TOPOLOGY).glob("[0-9]*") if entry.name.isdecimal())
    listed = [(number, _properties(sysfs / TOPOLOGY / str(number) / "properties")) for number in found]
    gpus = [(number, told) for number, told in listed if told.get("simd_count", 0) > 0]
    return [Node(number, rank, _card(sysfs, number, rank, told)) for rank, (number, told) in enumerate(gpus)]


def read(listed: list[Node]) -> Reading:
    """The cards of the topology.

    Args:
        listed: what `nodes` gave.
    """
    problem = "" if listed else "no GPU in /sys/class/kfd"
    return Reading(SOURCE, tuple(node.card for node in listed), problem)


def _properties(file: Path) -> dict[str, int]:
    """Lines of a name and a number."""
    try:
        lines = file.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = [line.split() for line in lines]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and _is_number(pair[1])}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 20


def _card(sysfs: Path, number: int, rank: int, told: dict[str, int]) -> Card:
    place = sysfs / TOPOLOGY / str(number)
    simds = told.get("simd_per_cu", 0)
    return Card(
        index=rank,
        pci_vendor=told.get("vendor_id"),
        pci_device=told.get("device_id"),
        pci_bus_id=_bus_id(told),
        unique_id=told.get("unique_id"),
        node=number,
        rank=rank,
        arch=_arch(told.get("gfx_target_version", 0)),
        memory_bytes=_memory(place),
        cache_bytes=_last_level(place),
        compute_units=told["simd_count"] // simds if simds else None,
    )


def _arch(version: int) -> str | None:
    """`90402` is gfx942: major, minor and stepping, two decimals each."""
    major, minor, stepping = version // 10000, version // 100 % 100, version % 100
    return f"gfx{major}{minor:x}{stepping:x}" if major and minor < 16 and stepping < 16 else None


def _bus_id(told: dict[str, int]) -> str | None:
    location = told.get("location_id")
    if location is None:
        return None
    bus, device, function = location >> 8 & 0xFF, location >> 3 & 0x1F, location & 7
    return f"{told.get('domain', 0):04x}:{bus:02x}:{device:02x}.{function}"


def _memory(place: Path) -> int | None:
    banks = [_properties(file) for file in place.glob("mem_banks/*/properties")]
    total = sum(bank.get("size_in_bytes", 0) for bank in banks if bank.get("heap_type") in _VIDEO_MEMORY)
    return total or None


def _last_level(place: Path) -> int | None:
    """The size of the cache of the highest level; the kernel gives it in KiB."""
    caches = [_properties(file) for file in place.glob("caches/*/properties")]
    sizes = {cache.get("level", 0): cache.get("size", 0) * 2**10 for cache in caches}
    return sizes[max(sizes)] or None if sizes else None
