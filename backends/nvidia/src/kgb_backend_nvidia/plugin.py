"""The front door of the nvidia backend: what this chip is, and where its rules live."""

from __future__ import annotations

from kgb_backend_nvidia import capabilities, chips, discovery, doctor, environment, notes, probe
from kgb_backend_nvidia.info import INFO
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck


class NvidiaBackend:
    """NVIDIA GPUs, through CUDA and stock Triton."""

    api = (1, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """CUDA's names for everything."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, and cards that are really NVIDIA's."""
        return probe.evidence()

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """GPUs and MIG instances, by NVML or nvidia-smi."""
        return discovery.devices()

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """By compute capability."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Architectures with their limits, products with their peaks."""
        return chips.targets()

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver and CUDA."""
        return environment.versions()

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """GPU, driver, torch, Triton."""
        return doctor.checks()

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
