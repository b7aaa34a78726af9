"""Checks for `kgb doctor`: the GPU, its memory, torch_musa and Triton, each with the step that mends it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgb_backend_mthreads import stack
from kgb_backend_mthreads.cards import Card
from kgb_backend_mthreads.chips import chip_named
from kgb_backend_mthreads.discovery import read
from kgb_backend_mthreads.info import INFO
from kgb_backend_mthreads.reading import Reading
from kgb_backend_mthreads.visibility import VARIABLE, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import PciDevice, pci_accelerators

_IOMMU = "turn the IOMMU on (VT-d in the BIOS, intel_iommu=on or amd_iommu=on for the kernel) and restart; "
_IOMMU += "sudo musa-deploy -c host checks it"
_FIXES = {
    "failed to initialize mtml": "sudo usermod -aG render,video $USER and log in again; right after "
    "loading the driver, run mthreads-gmi once more",
    "No MT GPU device found": _IOMMU,
    "failed to load driver": "sudo modprobe mtgpu; if that fails, install the driver again",
    "printed nothing": "in a container: start it with --runtime mthreads --env MTHREADS_VISIBLE_DEVICES=all "
    "(MT Container Toolkit) and mount the host's mthreads-gmi",
}
"""By what mthreads-gmi says; the steps are those of torch_musa's own musa-deploy and of public reports."""
_ABSENT = "if there is a Moore Threads GPU: install its driver, then run kgb doctor again"
_UNDRIVEN = (
    "install the driver (mthreads-gmi must list the GPU); in a container: start it with --runtime mthreads"
)


@dataclass(frozen=True)
class Stack:
    """What is installed; `None` where it is not.

    Attributes:
        torch: version of torch.
        torch_musa: version of torch_musa.
        triton: version of Triton.
        backend: what Triton calls its MUSA back end.
        toolkit: directory of the MUSA toolkit.
    """

    torch: str | None = None
    torch_musa: str | None = None
    triton: str | None = None
    backend: str | None = None
    toolkit: Path | None = None


def checks() -> list[DoctorCheck]:
    """Every check of this machine."""
    answer = read()
    on_bus = pci_accelerators(INFO.pci_vendor_id or 0)
    found = [gpu_check(answer, on_bus, os.environ.get(VARIABLE))]
    if not answer.cards:
        return found
    installed = Stack(
        torch=module_version("torch"),
        torch_musa=stack.torch_musa_version(),
        triton=module_version("triton"),
        backend=stack.triton_backend(),
        toolkit=stack.toolkit(),
    )
    return [*found, *memory_checks(answer.cards), *stack_checks(installed)]


def gpu_check(answer: Reading, on_bus: Sequence[PciDevice], chosen: str | None) -> DoctorCheck:
    """The GPU and its driver.

    Args:
        answer: what MTML or mthreads-gmi said.
        on_bus: Moore Threads' devices on the PCI bus.
        chosen: MUSA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if answer.cards:
        return _cards_check(answer, visible(answer.cards, chosen), chosen)
    said = answer.problem or f"{answer.source} lists no GPU"
    known = next((fix for words, fix in _FIXES.items() if words in said), None)
    if not on_bus:
        found = f"no PCI device 1ed5:*; {said}"
        return DoctorCheck(name="gpu", health=Health.NONE, found=found, fix=known or _ABSENT)
    found = f"PCI device 1ed5:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {said}"
    return DoctorCheck(name="gpu", health=Health.BROKEN, found=found, fix=known or _UNDRIVEN)


def _cards_check(answer: Reading, shown: list[Card], chosen: str | None) -> DoctorCheck:
    broken = next((card for card in shown if card.problem), None)
    if broken is not None:
        fix = f"mend it, or leave it out of {VARIABLE}"
        found = f"{broken.name}: {broken.problem}"
        return DoctorCheck(name="gpu", health=Health.BROKEN, found=found, fix=fix)
    if not shown:
        found = f"{VARIABLE}={chosen} hides all of {len(answer.cards)} GPUs"
        return DoctorCheck(name="gpu", health=Health.WARN, found=found, fix=f"unset {VARIABLE}")
    kinds = ", ".join(dict.fromkeys(card.name for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    found = f"{count}: {kinds}; driver {answer.driver or 'unknown'}, by {answer.source}"
    return DoctorCheck(name="gpu", health=Health.OK, found=found)


def memory_checks(cards: Sequence[Card]) -> Iterator[DoctorCheck]:
    """Cards that show less memory than the product has: so a missing IOMMU shows.

    Args:
        cards: every card.
    """
    for card in cards:
        chip = chip_named(card.name)
        if not (chip and chip.memory_bytes and card.memory_bytes) or card.memory_bytes >= chip.memory_bytes:
            continue
        has, whole = card.memory_bytes / 2**30, chip.memory_bytes / 2**30
        found = f"{card.name} {card.gpu} shows {has:.0f} GiB of its {whole:.0f}"
        yield DoctorCheck(name="memory", health=Health.WARN, found=found, fix=_IOMMU)


def stack_checks(installed: Stack) -> Iterator[DoctorCheck]:
    """Torch with torch_musa, and the way from Triton to the chip.

    Args:
        installed: what there is.
    """
    yield _torch(installed)
    yield _triton(installed)


def _torch(installed: Stack) -> DoctorCheck:
    torch, musa = installed.torch, installed.torch_musa
    if torch is None or musa is None:
        missing = " and ".join(n for n, has in (("torch", torch), ("torch_musa", musa)) if has is None)
        fix = "install the torch and torch_musa wheels of one release by the vendor, the ones for this chip"
        return DoctorCheck(name="torch", health=Health.BROKEN, found=f"{missing} not installed", fix=fix)
    found = f"torch {torch}, torch_musa {musa}"
    if _release(musa)[:1] >= ["2"] and _release(torch) != _release(musa):
        fix = "install torch and torch_musa of the same release; pip may have put another torch in its place"
        return DoctorCheck(name="torch", health=Health.WARN, found=f"{found}: not of one release", fix=fix)
    return DoctorCheck(name="torch", health=Health.OK, found=found)


def _release(version: str) -> list[str]:
    return version.split("+")[0].split(".")[:2]


def _triton(installed: Stack) -> DoctorCheck:
    if installed.backend is None:
        has = (
            f"Triton {installed.triton} has no MUSA back end" if installed.triton else "triton not installed"
        )
        fix = "pip uninstall triton, then install the vendor's triton, or flagtree for mthreads"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=has, fix=fix)
    found = f"Triton {installed.triton}, back end {installed.backend}"
    if installed.toolkit is None:
        found += f"; no MUSA toolkit in {stack.TOOLKIT_VARIABLE} or {stack.TOOLKIT}"
        fix = f"install the MUSA toolkit, or export {stack.TOOLKIT_VARIABLE} to where it is"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=found, fix=fix)
    return DoctorCheck(name="triton", health=Health.OK, found=f"{found}, toolkit {installed.toolkit}")
