"""Checks for `kgb doctor`: the GPU, the driver, torch and Triton, each with the command that mends it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from kgb_backend_nvidia.cards import PCI_VENDOR, Card
from kgb_backend_nvidia.discovery import read
from kgb_backend_nvidia.reading import Reading
from kgb_backend_nvidia.visibility import ORDER_VARIABLE, VARIABLE, is_ambiguous, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import PciDevice, pci_accelerators

STACK = 'pip install "kgb-backend-nvidia[stack]"'


def checks() -> list[DoctorCheck]:
    """Every check of this machine."""
    answer = read()
    found = [devices_check(answer, pci_accelerators(PCI_VENDOR), os.environ.get(VARIABLE))]
    if not answer.cards:
        return found
    found.extend(order_check(answer.cards, os.environ.get(VARIABLE), os.environ.get(ORDER_VARIABLE)))
    found.extend(stack_checks(module_version("torch"), module_version("triton")))
    return found


def devices_check(answer: Reading, on_bus: list[PciDevice], chosen: str | None) -> DoctorCheck:
    """The GPU and its driver.

    Args:
        answer: what NVML or nvidia-smi said.
        on_bus: NVIDIA's devices on the PCI bus.
        chosen: CUDA_VISIBLE_DEVICES; `None` where it is not set.
    """
    if answer.cards:
        return _cards_check(answer, visible(answer.cards, chosen), chosen)
    said = answer.problem or f"{answer.source} lists no GPU"
    if not on_bus:
        return DoctorCheck(
            name="nvidia",
            health=Health.NONE,
            found=f"no PCI device 10de:*; {said}",
            fix="if there is an NVIDIA GPU: install its driver, then run kgb doctor again",
        )
    return DoctorCheck(
        name="nvidia",
        health=Health.BROKEN,
        found=f"PCI device 10de:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {said}",
        fix="install the driver or load it (modprobe nvidia), in a container start it with --gpus all; "
        "nvidia-smi must list the GPU",
    )


def _cards_check(answer: Reading, shown: list[Card], chosen: str | None) -> DoctorCheck:
    broken = [card for card in shown if card.problem]
    if broken:
        return DoctorCheck(
            name="nvidia",
            health=Health.BROKEN,
            found=f"{broken[0].name}: {broken[0].problem}",
            fix=f"mend it, or leave it out of {VARIABLE}",
        )
    if not shown:
        return DoctorCheck(
            name="nvidia",
            health=Health.WARN,
            found=f"{VARIABLE}={chosen} hides all of {len(answer.cards)} GPUs",
            fix=f"unset {VARIABLE}",
        )
    kinds = ", ".join(dict.fromkeys(card.name for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    found = f"{count}: {kinds}; driver {answer.driver}, CUDA up to {answer.cuda}, by {answer.source}"
    return DoctorCheck(name="nvidia", health=Health.OK, found=found)


def order_check(cards: tuple[Card, ...], chosen: str | None, order: str | None) -> Iterator[DoctorCheck]:
    """Indices in CUDA_VISIBLE_DEVICES on a machine with different cards."""
    if is_ambiguous(cards, chosen, order):
        yield DoctorCheck(
            name="nvidia order",
            health=Health.WARN,
            found=f"{VARIABLE}={chosen} uses indices, and CUDA counts these cards in its own order",
            fix=f"export {ORDER_VARIABLE}=PCI_BUS_ID, or use the UUIDs of nvidia-smi -L",
        )


def stack_checks(torch: str | None, triton: str | None) -> Iterator[DoctorCheck]:
    """Torch and Triton.

    Args:
        torch: its version; `None` where it is not installed.
        triton: likewise.
    """
    if torch is None or triton is None:
        missing = " and ".join(name for name, has in (("torch", torch), ("triton", triton)) if has is None)
        yield DoctorCheck(
            name="nvidia stack", health=Health.BROKEN, found=f"{missing} not installed", fix=STACK
        )
    elif "+cpu" in torch or "+rocm" in torch:
        yield DoctorCheck(
            name="nvidia stack",
            health=Health.BROKEN,
            found=f"torch {torch} is built without CUDA",
            fix=f"pip uninstall torch, then {STACK}",
        )
    else:
        yield DoctorCheck(name="nvidia stack", health=Health.OK, found=f"torch {torch}, Triton {triton}")
