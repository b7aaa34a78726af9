"""The front door of the iluvatar backend: what this chip is, and where its rules live.

Checked on recorded output only: nobody here had a chip, or CoreX.
"""

from __future__ import annotations

from kgb_backend_iluvatar import capabilities, chips, compiling, discovery, doctor, environment, notes, probe
from kgb_backend_iluvatar.info import INFO
from kgb_backend_iluvatar.machine import Machine
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch


class IluvatarBackend:
    """Iluvatar CoreX GPUs, through CoreX and its Triton.

    Args:
        machine: where to look for hardware; this machine when not given.
    """

    api = (1, 0)

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """CUDA's names in torch and in the environment, CoreX's in Triton."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, cards that CoreX lists, and torch's build."""
        return probe.evidence(self._machine)

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """Cards, by ixML or ixsmi."""
        return discovery.devices(self._machine)

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """The same for every chip, but for its memory."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Architectures and products, with the limits that are known."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        """Iluvatar's Triton where it is installed, else TTIR."""
        return compiling.compile_launch(launch, target)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver, ixML, CoreX and its builds."""
        return environment.versions(self._machine)

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """Card, driver, CoreX, torch, Triton."""
        return doctor.checks(self._machine)

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
