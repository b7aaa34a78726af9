"""Looking at a machine without a vendor's library: PCI devices in sysfs, and vendors' command-line tools."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SYSFS = Path("/sys")
ACCELERATOR_CLASSES = (0x03, 0x12)
"""PCI base classes: display controllers and processing accelerators."""


@dataclass(frozen=True)
class PciDevice:
    """A function on the PCI bus.

    Attributes:
        bus_id: domain, bus, device and function, as in `0000:c1:00.0`.
        vendor: the PCI vendor id.
        device: the PCI device id.
    """

    bus_id: str
    vendor: int
    device: int


def pci_accelerators(vendor: int, sysfs: Path = SYSFS) -> list[PciDevice]:
    """The display controllers and accelerators of one vendor, by bus id; needs no driver.

    Args:
        vendor: the PCI vendor id.
        sysfs: where sysfs is mounted.
    """
    found = map(_pci_device, sorted((sysfs / "bus/pci/devices").glob("*")))
    return [device for device in found if device and device.vendor == vendor]


def _pci_device(entry: Path) -> PciDevice | None:
    try:
        pci_class, vendor, device = (_hex(entry / name) for name in ("class", "vendor", "device"))
    except (OSError, ValueError):
        return None
    if pci_class >> 16 not in ACCELERATOR_CLASSES:
        return None
    return PciDevice(entry.name, vendor, device)


def _hex(file: Path) -> int:
    return int(file.read_text(), 16)


@dataclass(frozen=True)
class ToolOutput:
    """What a tool printed.

    Attributes:
        text: its standard output.
        problem: why it gave no answer, in one line; empty when it ended with exit code 0.
    """

    text: str
    problem: str = ""


def run_tool(command: Sequence[str], timeout_s: float = 10.0) -> ToolOutput:
    """Run a vendor's tool in the plain locale and return what it printed.

    Args:
        command: the program, looked up in PATH, and its arguments.
        timeout_s: seconds until it is given up; a tool can hang on a broken driver.
    """
    program = shutil.which(command[0])
    if program is None:
        return ToolOutput("", f"{command[0]} not found")
    try:
        done = subprocess.run(
            [program, *command[1:]],
            capture_output=True,
            check=False,
            env={**os.environ, "LANG": "C", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        return ToolOutput("", f"{command[0]} gave no answer in {timeout_s:g} s")
    except OSError as error:
        return ToolOutput("", f"{command[0]} can't be run: {error.strerror}")
    text = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return ToolOutput(text)
    said = (done.stderr.decode(errors="replace").strip() or text.strip()).splitlines()
    return ToolOutput(text, f"{command[0]} ended with {done.returncode}" + (f": {said[0]}" if said else ""))
