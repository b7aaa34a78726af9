"""The front door of the ascend backend: what this chip is, and where its rules live.

Nobody here could run the chip: everything is checked on recorded output and imitations, but for compiling,
which triton-ascend does without a chip. Left to the core's defaults: synchronize and timer, since torch.npu
has `synchronize` and timed events. Huawei advises its profiler for times, and rules it out where
ASCEND_RT_VISIBLE_DEVICES is set, as it is in every worker. Tolerances too: no source gives a reason for one.
"""

from __future__ import annotations

from kgb_backend_ascend import (
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
from kgb_backend_ascend.info import INFO
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch


class AscendBackend:
    """Huawei Ascend NPUs, through torch-npu and triton-ascend."""

    api = (1, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """CANN's names for everything."""
        return INFO

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, chips that the driver lists, device files, torch_npu."""
        return probe.evidence()

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """Chips, by DCMI or npu-smi."""
        return discovery.devices()

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities:
        """By generation."""
        return capabilities.capabilities(device)

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> dict[str, str]:
        """One device, no extension that loads itself, the Ascend back end of Triton."""
        return worker.environment(device)

    @hookimpl
    def kgb_prepare_worker(self) -> None:
        """torch_npu, without HF32."""
        worker.prepare()

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Chips with their limits, and peaks where a source gives them."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        """Linalg and the check of the Unified Buffer where triton-ascend is here, else TTIR."""
        return compiling.compile_launch(launch, target)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """Driver, CANN, torch_npu."""
        return environment.versions()

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """NPU, torch, torch_npu, Triton."""
        return doctor.checks()

    @hookimpl
    def kgb_prompt_notes(self, target: Target) -> str:
        """Limits and habits of a target."""
        return notes.prompt_notes(target)
