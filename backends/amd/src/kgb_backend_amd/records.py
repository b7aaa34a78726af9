"""A card out of one GPU's record in AMD SMI's form: the fields of its JSON, its text and its binding."""

from __future__ import annotations

from kgb_backend_amd.cards import Card, arch_of
from kgb_backend_amd.text import amount, section, whole, word


def records_in(document: object) -> list[dict[str, object]]:
    """The GPUs in a JSON document: a list of them, or an object that has the list as `gpu_data`.

    Blocks that are no GPU, as newer versions add for network cards, are passed over.

    Args:
        document: parsed JSON.
    """
    listed = document.get("gpu_data") if isinstance(document, dict) else document
    items = listed if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, dict) and whole(item.get("gpu")) is not None]


def card_of(record: dict[str, object]) -> Card:
    """The card of one record; any part of it may be missing or be `N/A`.

    Args:
        record: has a `gpu` that is a number.
    """
    asic, vram = section(record, "asic"), section(record, "vram")
    return Card(
        index=whole(record.get("gpu")) or 0,
        name=word(asic.get("market_name")) or "",
        vendor=word(asic.get("vendor_name")),
        pci_vendor=whole(asic.get("vendor_id")),
        pci_device=whole(asic.get("device_id")),
        pci_bus_id=word(section(record, "bus").get("bdf")) or word(record.get("bdf")),
        unique_id=_hexadecimal(asic.get("asic_serial")),
        node=whole(record.get("node_id")),
        arch=arch_of(word(asic.get("target_graphics_version"))),
        memory_bytes=amount(vram.get("size"), "MB"),
        cache_bytes=_last_level(record.get("cache_info")),
        compute_units=whole(asic.get("num_compute_units")),
        driver=word(section(record, "driver").get("version")),
    )


def _hexadecimal(value: object) -> int | None:
    """A serial number; versions write it with and without 0x."""
    text = (word(value) or "").lower().removeprefix("0x")
    return whole(f"0x{text}")


def _last_level(caches: object) -> int | None:
    """The size of the cache of the highest level."""
    listed = [cache for cache in caches if isinstance(cache, dict)] if isinstance(caches, list) else []
    levels = {whole(cache.get("cache_level")) or 0: amount(cache.get("cache_size"), "KB") for cache in listed}
    return levels[max(levels)] if levels else None
