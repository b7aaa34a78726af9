"""The facade: a vendor's answer, else the core's; a hook's error or wrong answer names vendor and hook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from kgb_core import hookimpl
from kgb_core.errors import BackendError
from kgb_core.models import (
    BackendInfo,
    Capabilities,
    Capability,
    Device,
    DType,
    Limits,
    Probe,
    Support,
    Target,
    Tolerance,
)
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.models.launch import CompileOutcome, Launch, Resources, Stage
from kgb_core.models.timer import TimingMethod
from kgb_core.plugins.assembly import Rejected, assemble
from kgb_core.plugins.backend import Backend

DEVICE = Device(index=3, name="A 9000", uuid="A-1", arch="a9")
TARGET = Target(vendor="plain", arch="a9", limits=Limits(shared_memory_bytes=100))
LAUNCH = Launch(function=None, signature={}, constants={})


class Plain:
    """The least that a backend must be."""

    info = BackendInfo(
        vendor="plain", display_name="Plain", torch_device_type="cpu", visibility_variable="PLAIN_VISIBLE"
    )

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.info

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        return []


def plain(**hooks: Callable[..., object]) -> Backend:
    """A plain backend with some hooks more, given by their functions."""
    members = {name: hookimpl(function) for name, function in hooks.items()}
    return assemble(type("Plugin", (Plain,), members)(), "plain", "kgb-backend-plain", "0.3")


def returning(hook: str, answer: object) -> Backend:
    """A plain backend with one hook that returns this."""
    return plain(**{hook: lambda self: answer})


ASK: dict[str, Callable[[Backend], object]] = {
    "kgb_probe": lambda b: b.probe(),
    "kgb_discover_devices": lambda b: b.discover_devices(),
    "kgb_capabilities": lambda b: b.capabilities(DEVICE),
    "kgb_worker_environment": lambda b: b.worker_environment(DEVICE),
    "kgb_prepare_worker": lambda b: b.prepare_worker(DEVICE),
    "kgb_targets": lambda b: b.targets(),
    "kgb_compile": lambda b: b.compile(LAUNCH, TARGET),
    "kgb_synchronize": lambda b: b.synchronize(DEVICE),
    "kgb_make_timer": lambda b: b.make_timer(DEVICE),
    "kgb_tolerance": lambda b: b.tolerance("aten::add", DType.FLOAT32, DEVICE),
    "kgb_baseline": lambda b: b.baseline("aten::add", DEVICE),
    "kgb_environment": lambda b: b.environment(),
    "kgb_check_health": lambda b: b.check_health(DEVICE),
    "kgb_doctor_checks": lambda b: b.doctor_checks(),
    "kgb_prompt_notes": lambda b: b.prompt_notes(TARGET),
}


@pytest.mark.parametrize("hook", ASK)
@pytest.mark.parametrize("error", [ValueError("no such device"), SystemExit(3), AssertionError()])
def test_whatever_a_hook_raises_names_vendor_and_hook(hook: str, error: BaseException) -> None:
    def raising(self: object) -> None:
        raise error

    with pytest.raises(BackendError) as caught:
        ASK[hook](plain(**{hook: raising}))
    assert (caught.value.vendor, caught.value.hook) == ("plain", hook)
    assert caught.value.__cause__ is error
    assert type(error).__name__ in caught.value.why


def test_a_keyboard_interrupt_is_the_users() -> None:
    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plain(kgb_targets=interrupted).targets()


@pytest.mark.parametrize(
    ("hook", "answer", "names"),
    [
        ("kgb_probe", 7, "must return Probe, returned int: 7"),
        ("kgb_discover_devices", None, "without hardware it is []"),
        ("kgb_discover_devices", [DEVICE, "gpu1"], "one of them is str: 'gpu1'"),
        ("kgb_discover_devices", [DEVICE, DEVICE], "an index of its own, gave [3, 3]"),
        ("kgb_capabilities", {"bfloat16": "full"}, "must return Capabilities, returned dict"),
        ("kgb_worker_environment", {"PLAIN": 1}, "one item is 'PLAIN': 1"),
        ("kgb_worker_environment", ["PLAIN=1"], "must return a mapping of strings, returned list"),
        ("kgb_targets", TARGET, "must return a list of Target, returned Target"),
        ("kgb_compile", "ok", "must return CompileOutcome, returned str: 'ok'"),
        ("kgb_synchronize", False, "must return True once the device is idle, returned False"),
        ("kgb_make_timer", 1.5, "without prepare, start, stop, elapsed_ns, name, method"),
        ("kgb_tolerance", 1e-3, "must return Tolerance, returned float"),
        ("kgb_tolerance", Tolerance(ulps=9), "needs a reason"),
        ("kgb_tolerance", Tolerance(ulps=9, reason="  "), "needs a reason"),
        ("kgb_baseline", "cublasSgemm", "must return a callable, returned str"),
        ("kgb_environment", {"driver": None}, "one item is 'driver': None"),
        ("kgb_check_health", "yes", "must return bool, returned str: 'yes'"),
        ("kgb_doctor_checks", ["fine"], "one of them is str: 'fine'"),
        ("kgb_prompt_notes", ["short"], "must return str, returned list"),
    ],
)
def test_an_answer_of_the_wrong_type_is_named(hook: str, answer: object, names: str) -> None:
    with pytest.raises(BackendError) as caught:
        ASK[hook](returning(hook, answer))
    assert caught.value.hook == hook
    assert names in caught.value.why


class Stopwatch:
    """A timer, as a vendor writes one."""

    name = "watch"
    method = TimingMethod.PROFILER

    def prepare(self) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def elapsed_ns(self) -> int:
        return 1


CHECK = DoctorCheck(name="plain", health=Health.OK, found="all well")
OUTCOME = CompileOutcome(stage=Stage.BINARY, kernel="k")
STOPWATCH = Stopwatch()


@pytest.mark.parametrize(
    ("hook", "answer"),
    [
        ("kgb_probe", Probe(score=80, evidence=("it is here",))),
        ("kgb_discover_devices", [DEVICE]),
        ("kgb_capabilities", Capabilities(table={"bool": Capability(support=Support.FULL)})),
        ("kgb_worker_environment", {"PLAIN_VISIBLE": "7"}),
        ("kgb_targets", [TARGET]),
        ("kgb_compile", OUTCOME),
        ("kgb_make_timer", STOPWATCH),
        ("kgb_baseline", max),
        ("kgb_check_health", False),
        ("kgb_doctor_checks", [CHECK]),
        ("kgb_prompt_notes", "no fp64"),
    ],
)
def test_the_vendors_answer_comes_through(hook: str, answer: object) -> None:
    assert ASK[hook](returning(hook, answer)) == answer


def test_an_override_has_the_vendor_as_its_source() -> None:
    given = Tolerance(ulps=9, reason="its sqrt is approximate", source="core")
    found = returning("kgb_tolerance", given).tolerance("aten::add", DType.FLOAT32, DEVICE)
    assert found == given.model_copy(update={"source": "plain"})


def test_arguments_that_a_hook_does_not_want_are_left_out() -> None:
    backend = plain(kgb_tolerance=lambda self, dtype: Tolerance(ulps=dtype.itemsize, reason="so it is"))
    found = backend.tolerance("aten::add", DType.FLOAT64, DEVICE)
    assert found is not None
    assert found.ulps == 8


def test_none_falls_through_to_the_core_for_one_dtype_only() -> None:
    loose = Tolerance(ulps=64, reason="fp16 accumulates in fp16")
    backend = plain(kgb_tolerance=lambda self, dtype: loose if dtype is DType.FLOAT16 else None)
    assert backend.tolerance("aten::sum", DType.FLOAT32, DEVICE) is None
    assert backend.tolerance("aten::sum", DType.FLOAT16, DEVICE) is not None


def test_the_core_answers_what_a_plain_backend_leaves_out() -> None:
    backend = plain()
    assert backend.capabilities(DEVICE) == Capabilities()
    assert backend.worker_environment(DEVICE) == {"PLAIN_VISIBLE": "3"}
    assert backend.worker_environment(DEVICE.model_copy(update={"visibility_id": "A-1"})) == {
        "PLAIN_VISIBLE": "A-1"
    }
    assert backend.targets() == []
    assert backend.tolerance("aten::add", DType.FLOAT32, DEVICE) is None
    assert backend.baseline("aten::add", DEVICE) is None
    assert backend.doctor_checks() == []
    assert backend.prompt_notes(TARGET) == ""
    assert backend.hooks == ("kgb_backend_info", "kgb_discover_devices")


def test_the_environment_has_the_cores_versions_and_the_vendors() -> None:
    found = returning("kgb_environment", {"driver": "580.1"}).environment()
    assert found["driver"] == "580.1"
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["torch"].startswith("2.")
    assert found["triton"].startswith("3.")


def test_a_compiled_kernel_is_held_against_the_targets_limits() -> None:
    big = OUTCOME.model_copy(update={"resources": Resources(shared_memory_bytes=101)})
    found = returning("kgb_compile", big).compile(LAUNCH, TARGET)
    assert found.error == "out of resources: shared memory 101 bytes, limit 100"
    assert found.stage is Stage.BINARY


def test_a_device_finds_its_target_by_name_and_else_by_architecture() -> None:
    named = TARGET.model_copy(update={"arch": "a9000", "device_names": ("A 9000",)})
    other = TARGET.model_copy(update={"arch": "a9100", "device_names": ("A 9100",)})
    backend = returning("kgb_targets", [TARGET, other, named])
    assert backend.target_of(DEVICE) == named
    assert backend.target_of(Device(index=0, name="A 9050", arch="a9")) == TARGET
    assert backend.target_of(Device(index=0, name="A 9050", arch="a7")) is None
    assert backend.target_of(Device(index=0, name="A 9050")) is None


@pytest.mark.parametrize("api", [(1,), "1.0", (1, "0"), None])
def test_an_api_that_is_no_version_is_refused(api: Any) -> None:
    plugin = type("Plugin", (Plain,), {"api": api})()
    with pytest.raises(Rejected, match=r"must be \(major, minor\)"):
        assemble(plugin, "plain")


def test_info_of_the_wrong_type_is_refused() -> None:
    plugin = type("Plugin", (Plain,), {"info": {"vendor": "plain"}})()
    with pytest.raises(Rejected, match="kgb_backend_info: TypeError: must return BackendInfo"):
        assemble(plugin, "plain")
