"""The front door of the mthreads backend: what this chip is, and where its rules live.

Nobody here could run the chip: everything is checked on recorded output and imitations only. Left to the
core's defaults: synchronize and timer, since torch.musa has `synchronize` and timed events (graphs, whose
replay hangs, are not used); tolerances, since every bound allows for the chip's own native error.
"""

from __future__ import annotations

from kgb_backend_mthreads import (
    capabilities,
    chips,
    compiling,
    discovery,
    doctor,
    environment,
    notes,
    probe,
    worker,
)
from kgb_backend_mthreads.info import INFO
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch


class MthreadsBackend:
    """Moore Threads GPUs, through MUSA, torch_musa and the vendor's Triton."""

    api = (1, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """MUSA's names for everything."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, cards that the driver lists, torch_musa."""
        return probe.evidence()

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """GPUs, by MTML or mthreads-gmi."""
        return discovery.devices()

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """By architecture."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        """One device, no extension that loads itself, the MUSA back end of Triton."""
        return worker.environment(device)

    @hookimpl
    def kgb_prepare_worker(self) -> None:
        """torch_musa."""
        worker.prepare()

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Architectures with their limits, products with their peaks."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome | None:
        """The vendor's compiler where it is here, else TTIR."""
        return compiling.compile_launch(launch, target)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver, toolkit, torch_musa."""
        return environment.versions()

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """GPU, memory, torch, torch_musa, Triton, toolkit."""
        return doctor.checks()

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
