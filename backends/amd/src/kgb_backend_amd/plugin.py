"""The front door of the amd backend: what this chip is, and where its rules live.

Compiling was run, for every architecture listed. All else was checked on recorded output only.
"""

from __future__ import annotations

from kgb_backend_amd import (
    capabilities,
    chips,
    discovery,
    doctor,
    environment,
    linker,
    notes,
    probe,
    visibility,
)
from kgb_backend_amd.info import INFO
from kgb_backend_amd.machine import Machine
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch


class AmdBackend:
    """AMD GPUs, through ROCm and stock Triton.

    Args:
        machine: where to look for hardware; this machine when not given.
    """

    api = (1, 0)

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """CUDA's name in torch, HIP's in Triton, ROCm's in the environment."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, cards that are really AMD's, and torch's build."""
        return probe.evidence(self._machine)

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """GPUs, dies and partitions: by amdsmi, amd-smi, rocm-smi or the kernel."""
        return discovery.devices(self._machine)

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """By architecture."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        """One device, and it is HIP's first."""
        return visibility.pinned(str(device.index) if device.visibility_id is None else device.visibility_id)

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Architectures with their limits, products with their peaks."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome | None:
        """Stock Triton, which goes as far as TTIR where it lacks a linker that it needs."""
        return linker.compile_without_linker(launch, target)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver, ROCm and HIP."""
        return environment.versions(self._machine)

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """GPU, driver, permissions, variables, torch, Triton."""
        return doctor.checks(self._machine)

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
