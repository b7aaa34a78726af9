"""What needs no tool: NPUs on the PCI bus, and the device files of the driver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kgb_backend_ascend.info import INFO
from kgb_core.plugins.tools import SYSFS, PciDevice, pci_accelerators

DEV = Path("/dev")
_ACCELERATOR = "0x12"
_DAVINCI = re.compile(r"davinci[0-9]+")


def npus(sysfs: Path = SYSFS) -> list[PciDevice]:
    """Huawei's processing accelerators. The same vendor makes the display controller of its servers (iBMC).

    Args:
        sysfs: where sysfs is mounted.
    """
    found = pci_accelerators(INFO.pci_vendor_id or 0, sysfs)
    return [device for device in found if _class(sysfs, device).startswith(_ACCELERATOR)]


def _class(sysfs: Path, device: PciDevice) -> str:
    return (sysfs / "bus/pci/devices" / device.bus_id / "class").read_text()


def device_files(dev: Path = DEV) -> list[str]:
    """The names of the driver's device files, `davinci0` and on, by number.

    Args:
        dev: where device files are.
    """
    return sorted(_davinci(dev), key=lambda name: int(name.removeprefix("davinci")))


def _davinci(dev: Path) -> Iterator[str]:
    for file in dev.glob("davinci*"):
        if _DAVINCI.fullmatch(file.name):
            yield file.name
