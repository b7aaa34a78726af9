"""Hygon's chips on the PCI bus. The host bridges of Hygon's processors have the same vendor id."""

from __future__ import annotations

from pathlib import Path

from kgb_core.plugins.tools import SYSFS, PciDevice, pci_accelerators

VENDOR = 0x1D94
BRIDGE_CLASS = 0x06
DEVICES = frozenset({0x55B7, 0x6210, 0x66A1})
"""PCI device ids of a Z100L and a K100_AI, as hy-smi prints them, and of a Z100, as rocminfo does.

A K100_AI may be listed as a bridge (gpustack/gpustack#5170): then its device id tells it from the host's.
"""


def chips_on_bus(sysfs: Path = SYSFS) -> list[PciDevice]:
    """Every DCU on the bus: accelerators of Hygon's, and bridges with the device id of one.

    Args:
        sysfs: where sysfs is mounted.
    """
    entries = sorted((sysfs / "bus/pci/devices").glob("*"))
    bridges = [found for entry in entries if (found := _as_bridge(entry))]
    accelerators = pci_accelerators(VENDOR, sysfs)
    return sorted([*accelerators, *bridges], key=lambda device: device.bus_id)


def vendor_at(bus_id: str, sysfs: Path = SYSFS) -> int | None:
    """The PCI vendor id of the function at a place; `None` where sysfs doesn't tell.

    Args:
        bus_id: as in `0000:c1:00.0`.
        sysfs: where sysfs is mounted.
    """
    return _number(sysfs / "bus/pci/devices" / bus_id.lower(), "vendor")


def _as_bridge(entry: Path) -> PciDevice | None:
    pci_class, vendor, device = (_number(entry, name) for name in ("class", "vendor", "device"))
    if pci_class is None or pci_class >> 16 != BRIDGE_CLASS or vendor != VENDOR or device not in DEVICES:
        return None
    return PciDevice(entry.name, vendor, device)


def _number(entry: Path, name: str) -> int | None:
    try:
        return int((entry / name).read_text(), 16)
    except (OSError, ValueError):
        return None
