"""What sysfs says of a PCI function beyond its ids: is it a display, and whose is it."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_amd.cards import PCI_VENDOR
from kgb_core.plugins.tools import PciDevice, pci_accelerators

_DISPLAY = 0x0300
"""VGA controller: the class of desktop cards and of graphics built into a processor."""


def vendor_at(sysfs: Path, bus_id: str) -> int | None:
    """The PCI vendor id of the function at a place; `None` where sysfs doesn't tell.

    Args:
        sysfs: where sysfs is mounted.
        bus_id: as in `0000:c1:00.0`.
    """
    return _number(sysfs, bus_id, "vendor")


def accelerators(sysfs: Path) -> list[PciDevice]:
    """AMD's display controllers and accelerators."""
    return pci_accelerators(PCI_VENDOR, sysfs)


def is_only_display(sysfs: Path, device: PciDevice) -> bool:
    """True for a VGA controller, which says little of whether it can compute."""
    number = _number(sysfs, device.bus_id, "class")
    return number is not None and number >> 8 == _DISPLAY


def _number(sysfs: Path, bus_id: str, name: str) -> int | None:
    try:
        return int((sysfs / "bus/pci/devices" / bus_id / name).read_text(), 16)
    except (OSError, ValueError):
        return None
