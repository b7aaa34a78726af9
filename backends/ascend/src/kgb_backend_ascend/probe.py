"""Evidence of Huawei's stack: NPUs on the PCI bus, chips that the driver lists, its device files."""

from __future__ import annotations

from pathlib import Path

from kgb_backend_ascend import bus, stack
from kgb_backend_ascend.discovery import read
from kgb_core.models import Probe
from kgb_core.plugins.evidence import PCI_SCORE, TOOL_SCORE, total
from kgb_core.plugins.tools import SYSFS

FILES_SCORE = 5
FINGERPRINT_SCORE = 5


def evidence(sysfs: Path = SYSFS, dev: Path = bus.DEV) -> Probe:
    """What the PCI bus, the driver and the installed torch say.

    Args:
        sysfs: where sysfs is mounted.
        dev: where device files are.
    """
    chips = [*_bus(sysfs), *_cards(), *_files(dev)]
    return total([*chips, *_fingerprint(bool(chips))])


def _bus(sysfs: Path) -> list[Probe]:
    found = bus.npus(sysfs)
    where = ", ".join(device.bus_id for device in found)
    return [Probe(score=PCI_SCORE, evidence=(f"PCI vendor 0x19e5 at {where}",))] if found else []


def _cards() -> list[Probe]:
    answer = read()
    if not answer.cards:
        return []
    names = ", ".join(dict.fromkeys(card.product for card in answer.cards))
    return [Probe(score=TOOL_SCORE, evidence=(f"{answer.source} lists {names}",))]


def _files(dev: Path) -> list[Probe]:
    found = bus.device_files(dev)
    return [Probe(score=FILES_SCORE, evidence=(f"device files {', '.join(found)}",))] if found else []


def _fingerprint(with_chip: bool) -> list[Probe]:
    """torch_npu; it may be installed where no chip is, so alone it counts nothing."""
    installed = stack.torch_npu_version()
    if installed is None:
        return []
    score = FINGERPRINT_SCORE if with_chip else 0
    return [Probe(score=score, evidence=(f"torch_npu {installed} is installed",))]
