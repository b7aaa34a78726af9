"""Checks for `kgb doctor`: the GPU, its driver, who may open it, torch and Triton, each with its fix."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from kgb_backend_amd import pci, torch_build
from kgb_backend_amd.cards import Card
from kgb_backend_amd.discovery import read
from kgb_backend_amd.machine import Machine
from kgb_backend_amd.reading import Reading
from kgb_backend_amd.torch_build import TorchBuild
from kgb_backend_amd.visibility import RUNTIME_VARIABLE, hip_setting, is_ambiguous, visible
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import PciDevice

STACK = "install PyTorch's ROCm build, from its own index (the one that ends in /whl/rocm and a version)"


def checks(machine: Machine) -> list[DoctorCheck]:
    """Every check of this machine."""
    answer, on_bus = read(machine), pci.accelerators(machine.sysfs)
    found = [devices_check(answer, on_bus, os.environ)]
    if answer.cards or on_bus:
        found.extend(permission_check(machine))
    if answer.cards:
        found.extend(order_check(answer.cards, os.environ))
        found.extend(stack_checks(torch_build.installed(), module_version("triton")))
    return found


def devices_check(answer: Reading, on_bus: list[PciDevice], environment: Mapping[str, str]) -> DoctorCheck:
    """The GPU and its driver.

    Args:
        answer: what AMD's sources said.
        on_bus: AMD's devices on the PCI bus.
        environment: the variables of this process.
    """
    if answer.cards:
        return _cards_check(answer, visible(answer.cards, environment), environment)
    if not on_bus:
        return DoctorCheck(
            name="amd",
            health=Health.NONE,
            found=f"no PCI device 1002:*; {answer.problem}",
            fix="if there is an AMD GPU: install the amdgpu driver and ROCm, then run kgb doctor again",
        )
    return DoctorCheck(
        name="amd",
        health=Health.BROKEN,
        found=f"PCI device 1002:{on_bus[0].device:04x} at {on_bus[0].bus_id}; {answer.problem}",
        fix="load the driver (modprobe amdgpu), in a container start it with --device=/dev/kfd "
        "--device=/dev/dri; amd-smi list must show the GPU",
    )


def _cards_check(answer: Reading, shown: list[Card], environment: Mapping[str, str]) -> DoctorCheck:
    if not shown:
        names = [name for name in (RUNTIME_VARIABLE, hip_setting(environment)) if name in environment]
        settings = " and ".join(f"{name}={environment[name]}" for name in names if name)
        return DoctorCheck(
            name="amd",
            health=Health.WARN,
            found=f"{settings} hides all of {len(answer.cards)} GPUs",
            fix=f"unset {' '.join(name for name in names if name)}",
        )
    kinds = ", ".join(dict.fromkeys(card.title for card in shown))
    count = f"{len(shown)} device{'s' if len(shown) > 1 else ''}"
    driver = f"driver {answer.driver}" if answer.driver else "driver unknown"
    return DoctorCheck(name="amd", health=Health.OK, found=f"{count}: {kinds}; {driver}, by {answer.source}")


def permission_check(machine: Machine) -> Iterator[DoctorCheck]:
    """Whether this user may open the compute driver's device file.

    Args:
        machine: where to look.
    """
    file = machine.dev / "kfd"
    if not file.exists():
        yield DoctorCheck(
            name="amd access",
            health=Health.BROKEN,
            found="/dev/kfd does not exist",
            fix="modprobe amdgpu; in a container: start it with --device=/dev/kfd --device=/dev/dri",
        )
    elif not os.access(file, os.R_OK | os.W_OK):
        yield DoctorCheck(
            name="amd access",
            health=Health.BROKEN,
            found="/dev/kfd can't be opened by this user",
            fix="sudo usermod -aG render,video $USER, then log in again; in a container: --group-add render",
        )


def order_check(cards: tuple[Card, ...], environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
    """HIP's indices on a machine with different cards."""
    if is_ambiguous(cards, environment):
        setting = hip_setting(environment) or ""
        yield DoctorCheck(
            name="amd order",
            health=Health.WARN,
            found=f"{setting}={environment[setting]} uses indices, and HIP counts cards in its own order",
            fix=f"unset {setting} and name the cards in {RUNTIME_VARIABLE}, by the Uuid that rocminfo shows",
        )


def stack_checks(torch: TorchBuild | None, triton: str | None) -> Iterator[DoctorCheck]:
    """Torch and Triton.

    Args:
        torch: the installed build; `None` where there is none.
        triton: Triton's version; `None` where it is not installed.
    """
    if torch is None or triton is None:
        missing = " and ".join(name for name, has in (("torch", torch), ("triton", triton)) if has is None)
        yield DoctorCheck(name="amd stack", health=Health.BROKEN, found=f"{missing} not installed", fix=STACK)
    elif torch.is_hygon:
        yield DoctorCheck(
            name="amd stack",
            health=Health.BROKEN,
            found=f"torch {torch.version} is Hygon's build",
            fix=f"pip uninstall torch, then {STACK}",
        )
    elif torch.hip is None:
        yield DoctorCheck(
            name="amd stack",
            health=Health.BROKEN,
            found=f"torch {torch.version} is built without ROCm",
            fix=f"pip uninstall torch triton, then {STACK}",
        )
    else:
        found = f"torch {torch.version}, HIP {torch.hip}, Triton {triton}"
        yield DoctorCheck(name="amd stack", health=Health.OK, found=found)
