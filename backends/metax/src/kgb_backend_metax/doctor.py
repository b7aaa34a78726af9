"""Checks for `kgb doctor`: the GPU, shares of it, torch, Triton, MACA, each with the step that mends it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgb_backend_metax import stack
from kgb_backend_metax.cards import Card
from kgb_backend_metax.discovery import read
from kgb_backend_metax.info import INFO
from kgb_backend_metax.reading import Reading
from kgb_backend_metax.visibility import OTHER_VARIABLE, VARIABLE, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import PciDevice, pci_accelerators

_ABSENT = "if there is a MetaX GPU: install its driver, then run kgb doctor again"
_UNDRIVEN = "install the driver (mx-smi must list the GPU); "
_UNDRIVEN += "in a container: start it with --device=/dev/dri --device=/dev/mxcd --group-add video"


@dataclass(frozen=True)
class Stack:
    """What is installed; `None` where it is not.

    Attributes:
        torch: version of torch.
        triton: version of Triton.
        backend: what Triton calls its MACA back end.
        toolkit: directory of MACA.
    """

    torch: str | None = None
    triton: str | None = None
    backend: str | None = None
    toolkit: Path | None = None


def checks() -> list[DoctorCheck]:
    """Every check of this machine."""
    answer = read()
    found = [gpu_check(answer, pci_accelerators(INFO.pci_vendor_id or 0), os.environ.get(VARIABLE))]
    if not answer.cards:
        return found
    installed = Stack(
        torch=stack.torch_version(),
        triton=module_version("triton"),
        backend=stack.triton_backend(),
        toolkit=stack.toolkit(),
    )
    found += slice_checks(answer.cards)
    found += variable_checks(os.environ.get(OTHER_VARIABLE))
    return [*found, *stack_checks(installed)]


def gpu_check(answer: Reading, on_bus: Sequence[PciDevice], chosen: str | None) -> DoctorCheck:
    """The GPU and its driver.

    Args:
        answer: what MXSML or mx-smi said.
        on_bus: MetaX's devices on the PCI bus.
        chosen: CUDA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if answer.cards:
        return _cards_check(answer, visible(answer.cards, chosen), chosen)
    said = answer.problem or f"{answer.source} lists no GPU"
    if not on_bus:
        found = f"no PCI device 9999:*; {said}"
        return DoctorCheck(name="gpu", health=Health.NONE, found=found, fix=_ABSENT)
    found = f"PCI device 9999:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {said}"
    return DoctorCheck(name="gpu", health=Health.BROKEN, found=found, fix=_UNDRIVEN)


def _cards_check(answer: Reading, shown: list[Card], chosen: str | None) -> DoctorCheck:
    broken = next((card for card in shown if card.problem), None)
    if broken is not None:
        fix = f"mend it, or leave it out of {VARIABLE}"
        found = f"{broken.name} {broken.gpu}: {broken.problem}"
        return DoctorCheck(name="gpu", health=Health.BROKEN, found=found, fix=fix)
    if not shown:
        found = f"{VARIABLE}={chosen} hides all of {len(answer.cards)} GPUs"
        return DoctorCheck(name="gpu", health=Health.WARN, found=found, fix=f"unset {VARIABLE}")
    kinds = ", ".join(dict.fromkeys(card.name for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    versions = f"driver {answer.driver or 'unknown'}, MACA {answer.maca or 'unknown'}"
    found = f"{count}: {kinds}; {versions}, by {answer.source}"
    return DoctorCheck(name="gpu", health=Health.OK, found=found)


def slice_checks(cards: Sequence[Card]) -> Iterator[DoctorCheck]:
    """Shares of cards: their times can't stand beside those of whole cards.

    Args:
        cards: every card.
    """
    sliced = [str(card.gpu) for card in cards if card.is_slice]
    if sliced:
        found = f"GPU {', '.join(sliced)} is a share of a card (sGPU); its memory and time are not told"
        fix = "use whole cards for times; correctness can be judged on a share"
        yield DoctorCheck(name="share", health=Health.WARN, found=found, fix=fix)


def variable_checks(other: str | None) -> Iterator[DoctorCheck]:
    """The second variable that limits devices.

    Args:
        other: MACA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if other is not None:
        found = (
            f"{OTHER_VARIABLE}={other} limits devices beside {VARIABLE}, and workers are pinned by the latter"
        )
        fix = f"unset {OTHER_VARIABLE}; export {VARIABLE}={other} instead"
        yield DoctorCheck(name="variables", health=Health.WARN, found=found, fix=fix)


def stack_checks(installed: Stack) -> Iterator[DoctorCheck]:
    """MetaX's torch, and the way from Triton to the chip.

    Args:
        installed: what there is.
    """
    yield _torch(installed)
    yield _triton(installed)


def _torch(installed: Stack) -> DoctorCheck:
    if installed.torch is None:
        fix = "install MetaX's build of torch for your MACA; not the package index's"
        return DoctorCheck(name="torch", health=Health.BROKEN, found="torch not installed", fix=fix)
    if not stack.is_metax_build(installed.torch):
        found = f"torch {installed.torch} is not MetaX's build, which has +metax in its version"
        fix = (
            "pip uninstall torch triton, then install MetaX's; pip puts the index's back when it resolves a "
        )
        fix += "package that asks for torch: install such packages with --no-deps"
        return DoctorCheck(name="torch", health=Health.BROKEN, found=found, fix=fix)
    return DoctorCheck(name="torch", health=Health.OK, found=f"torch {installed.torch}")


def _triton(installed: Stack) -> DoctorCheck:
    if installed.backend is None:
        has = (
            f"Triton {installed.triton} has no MACA back end" if installed.triton else "triton not installed"
        )
        fix = "pip uninstall triton, then install MetaX's triton, or flagtree for metax"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=has, fix=fix)
    found = f"Triton {installed.triton}, back end {installed.backend}"
    if installed.toolkit is None:
        found += f"; no MACA in {stack.TOOLKIT_VARIABLE} or {stack.TOOLKIT}"
        fix = f"install MACA, or export {stack.TOOLKIT_VARIABLE} to where it is"
        return DoctorCheck(name="triton", health=Health.BROKEN, found=found, fix=fix)
    return DoctorCheck(name="triton", health=Health.OK, found=f"{found}, MACA in {installed.toolkit}")
