"""The front door of the metax backend: what this chip is, and where its rules live.

Nobody here could run the chip: everything is checked on recorded output and imitations only. Left to the
core's defaults: synchronize and timer, since MetaX's torch.cuda has both as CUDA has them.
"""

from __future__ import annotations

from kgb_backend_metax import (
    capabilities,
    chips,
    compiling,
    discovery,
    doctor,
    environment,
    notes,
    probe,
    tolerance,
    worker,
)
from kgb_backend_metax.info import INFO
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, DType, Probe, Target, Tolerance
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch


class MetaxBackend:
    """MetaX GPUs, through MACA and MetaX's builds of torch and Triton."""

    api = (1, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """CUDA's names for torch, MACA's for Triton."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, cards that the driver lists, MetaX's torch."""
        return probe.evidence()

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """GPUs, by MXSML or mx-smi."""
        return discovery.devices()

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """By family."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        """One device that several processes may use, MACA, the MACA back end of Triton."""
        return worker.environment(device)

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Families with their limits, products with their peaks."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome | None:
        """MetaX's compiler where it is here, else TTIR."""
        return compiling.compile_launch(launch, target)

    @hookimpl
    def kgb_tolerance(self, operator: str, dtype: DType) -> Tolerance | None:
        """Products of narrow floats."""
        return tolerance.override(operator, dtype)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver and MACA."""
        return environment.versions()

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """GPU, slices, variables, torch, Triton, MACA."""
        return doctor.checks()

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
