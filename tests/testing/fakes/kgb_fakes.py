"""A backend that passes the no-chip tier, and one for each of its rules that breaks exactly that one.

Each class is an entry point of the name of its rule, underscores for hyphens; the right one is `right`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from kgb_core import hookimpl
from kgb_core.compiling.ttir import compile_ttir
from kgb_core.models import BackendInfo, Capabilities, Capability, Device, DType, Probe, Support, Target
from kgb_core.models.device import Limits, Peaks
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.models.tolerance import Tolerance
from kgb_core.plugins.tools import run_tool

TOOL = "fake-smi"
VARIABLE = "FAKE_VISIBLE_DEVICES"
LIMITS = Limits(shared_memory_bytes=2**16, threads_per_block=1024, grid=(2**31 - 1,))
NOTE = "no compiler of this vendor is installed"


def target(arch: str, name: str, limits: Limits = LIMITS, peaks: Peaks | None = None) -> Target:
    return Target(
        vendor=arch,
        arch=arch,
        triton_backend="cuda",
        triton_arch=90,
        warp_size=32,
        limits=limits,
        peaks=peaks or Peaks(),
        device_names=(name,),
    )


class Unversioned:
    """Everything that is asked of a backend but its api."""

    vendor = "right"
    variable: str | None = VARIABLE
    tool: str | None = TOOL

    def identity(self, vendor: str, display_name: str = "A fake") -> BackendInfo:
        word = "Fake" if self.tool else None
        return BackendInfo(
            vendor=vendor,
            display_name=display_name,
            torch_device_type="fake",
            visibility_variable=self.variable,
            smi_tool=self.tool,
            smi_word=word,
        )

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.identity(self.vendor)

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        listed = [line.split(", ") for line in run_tool([TOOL]).text.splitlines()]
        known = [row for row in listed if len(row) == 2 and row[0].isdecimal() and row[1].strip()]
        names = {int(index): name for index, name in known}
        return [Device(index=index, name=name) for index, name in names.items() if self.shows(index)]

    def shows(self, index: int) -> bool:
        chosen = os.environ.get(VARIABLE)
        return chosen is None or str(index) in chosen.split(",")

    @hookimpl
    def kgb_capabilities(self) -> Capabilities:
        return Capabilities(
            table={"bfloat16": Capability(support=Support.UNSUPPORTED, reason="no bf16 units")}
        )

    @hookimpl
    def kgb_tolerance(self, dtype: DType) -> Tolerance | None:
        return Tolerance(ulps=4, reason="fast division") if dtype is DType.FLOAT16 else None

    @hookimpl
    def kgb_targets(self) -> Sequence[Target]:
        return [self.of_mine(each) for each in self.chips()]

    def chips(self) -> list[Target]:
        peaks = Peaks(bytes_per_second=1e12, source="a data sheet")
        return [target("f1", "Fake 1"), target("f2", "Fake 2", peaks=peaks)]

    def of_mine(self, chip: Target) -> Target:
        return chip.model_copy(update={"vendor": self.kgb_backend_info().vendor})

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        return compile_ttir(launch, target, NOTE)

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        return [DoctorCheck(name="driver", health=Health.NONE, found="no driver", fix="install the driver")]

    @hookimpl
    def kgb_prompt_notes(self) -> str:
        return "A program may use 64 KiB of shared memory."


class Right(Unversioned):
    api = (1, 0)


class PluginLoads:
    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return BackendInfo(vendor="plugin_loads", display_name="A fake", torch_device_type="fake")


class ApiIsStated(Unversioned):
    vendor = "api_is_stated"


class EveryHookIsMarked(Right):
    vendor = "every_hook_is_marked"

    def kgb_prompt_notes(self) -> str:
        return "never asked"


class InfoIsFree(Right):
    vendor = "info_is_free"

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        Path(__file__).read_text(encoding="utf-8")
        return self.identity(self.vendor)


class InfoIsConstant(Right):
    vendor = "info_is_constant"

    def __init__(self) -> None:
        self._asked = count()

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.identity(self.vendor, f"A fake {next(self._asked)}")


class NamesAreGiven(Right):
    vendor = "names_are_given"

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.identity(self.vendor, display_name=" ")


class WorkersCanBePinned(Right):
    vendor = "workers_can_be_pinned"
    variable = None


class HardwareCanBeRecognised(Right):
    vendor = "hardware_can_be_recognised"
    tool = None


class AnswersHaveTheStatedTypes(Right):
    vendor = "answers_have_the_stated_types"

    @hookimpl
    def kgb_environment(self) -> list[str]:
        return ["driver 1.0"]


class ProbeGivesEvidence(Right):
    vendor = "probe_gives_evidence"

    @hookimpl
    def kgb_probe(self) -> Probe:
        return Probe(score=10)


class DiscoveryIsDeterministic(Right):
    vendor = "discovery_is_deterministic"

    def __init__(self) -> None:
        self._asked = count()

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        here = shutil.which("sh") is not None
        return [Device(index=next(self._asked), name="Fake 1")] if here else []


class NothingIsFoundWithoutHardware(Right):
    vendor = "nothing_is_found_without_hardware"

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        return [Device(index=0, name="Fake 1")]


class RecordedOutputIsUnderstood(Right):
    vendor = "recorded_output_is_understood"

    def shows(self, index: int) -> bool:
        return index == 0


class DamagedOutputIsSurvived(Right):
    vendor = "damaged_output_is_survived"

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        rows = [line.split(", ") for line in run_tool([TOOL]).text.splitlines()]
        return [Device(index=int(index), name=name) for index, name in rows]


class AnyVisibilityIsSurvived(Right):
    vendor = "any_visibility_is_survived"

    def shows(self, index: int) -> bool:
        return index in [int(each) for each in os.environ.get(VARIABLE, "0,1").split(",")]


class CapabilitiesAreOfKnownThings(Right):
    vendor = "capabilities_are_of_known_things"

    @hookimpl
    def kgb_capabilities(self) -> Capabilities:
        return Capabilities(table={"bf16": Capability(support=Support.FULL)})


class LimitedSupportHasAReason(Right):
    vendor = "limited_support_has_a_reason"

    @hookimpl
    def kgb_capabilities(self) -> Capabilities:
        return Capabilities(table={"bfloat16": Capability(support=Support.UNSUPPORTED)})


class ToleranceIsTotal(Right):
    vendor = "tolerance_is_total"

    @hookimpl
    def kgb_tolerance(self, dtype: DType) -> Tolerance | None:
        return {DType.FLOAT32: None, DType.FLOAT16: None}[dtype]


class ToleranceOverridesHaveReasons(Right):
    vendor = "tolerance_overrides_have_reasons"

    @hookimpl
    def kgb_tolerance(self) -> Tolerance:
        return Tolerance(ulps=9)


class ATargetIsOffered(Right):
    vendor = "a_target_is_offered"

    def chips(self) -> list[Target]:
        return []


class TargetsHaveNamesOfTheirOwn(Right):
    vendor = "targets_have_names_of_their_own"

    def chips(self) -> list[Target]:
        return [target("f1", "Fake 1"), target("f1", "Fake 2")]


class ADeviceNameMeansOneTarget(Right):
    vendor = "a_device_name_means_one_target"

    def chips(self) -> list[Target]:
        return [target("f1", "Fake 1"), target("f2", "Fake 1")]


class LimitsMakeSense(Right):
    vendor = "limits_make_sense"

    def chips(self) -> list[Target]:
        return [target("f1", "Fake 1", Limits(shared_memory_bytes=64))]  # KiB were meant


class PeaksHaveASource(Right):
    vendor = "peaks_have_a_source"

    def chips(self) -> list[Target]:
        return [target("f1", "Fake 1", peaks=Peaks(bytes_per_second=1e12))]


class CompilingSaysHowFarItGot(Right):
    vendor = "compiling_says_how_far_it_got"

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        return compile_ttir(launch, target, note="")


class CompileErrorsCarryALog(Right):
    vendor = "compile_errors_carry_a_log"

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome:
        outcome = compile_ttir(launch, target, NOTE)
        return (
            outcome.model_copy(update={"error": "compilation failed", "log": ""})
            if outcome.error
            else outcome
        )


class WorkerEnvironmentCanBeSet(Right):
    vendor = "worker_environment_can_be_set"

    @hookimpl
    def kgb_worker_environment(self, device: Device) -> Mapping[str, str]:
        return {"FAKE=VISIBLE": str(device.index)}


class WorkerEnvironmentSaysWhichDevice(Right):
    vendor = "worker_environment_says_which_device"

    @hookimpl
    def kgb_worker_environment(self) -> Mapping[str, str]:
        return {VARIABLE: "0"}


class DoctorFindingsHaveFixes(Right):
    vendor = "doctor_findings_have_fixes"

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        return [DoctorCheck(name="driver", health=Health.WARN, found="it is old")]


class PromptNotesArePlainText(Right):
    vendor = "prompt_notes_are_plain_text"

    @hookimpl
    def kgb_prompt_notes(self) -> str:
        return "\x1b[1mA program may use 64 KiB of shared memory.\x1b[0m"
