"""A loaded backend, as the rest of the core sees it: one typed method for each hook.

Whatever a vendor's hook raises, and whatever it returns of the wrong type, comes out as `BackendError` with
the vendor's and the hook's name and the cause chained. Nothing outside this package touches pluggy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import pluggy

from kgb_core.compiling.limits import checked
from kgb_core.errors import BackendError
from kgb_core.models.device import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.dtypes import DType
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.models.timer import Timer
from kgb_core.models.tolerance import Tolerance
from kgb_core.plugins import answers
from kgb_core.plugins.environment import core_environment

T = TypeVar("T")


class Backend:
    """The typed facade over one vendor's hooks and the core's defaults.

    Attributes:
        vendor: the vendor id.
        distribution: the name of the distribution that it comes from.
        version: the version of that distribution.
        hooks: the hooks that the vendor itself implements.

    Every method raises `BackendError` when the hook raises or returns something of the wrong type.
    """

    def __init__(
        self, vendor: str, manager: pluggy.PluginManager, plugin: object, distribution: str, version: str
    ) -> None:
        self.vendor = vendor
        self.distribution = distribution
        self.version = version
        self.hooks = tuple(sorted(caller.name for caller in manager.get_hookcallers(plugin) or ()))
        self._manager = manager

    @cached_property
    def info(self) -> BackendInfo:
        """Who this backend is."""
        return self._ask("kgb_backend_info", answers.one(BackendInfo))

    def probe(self) -> Probe:
        """The evidence that this vendor's stack is on this machine."""
        return self._ask("kgb_probe", answers.one(Probe))

    def discover_devices(self) -> list[Device]:
        """The devices that this process may use; empty without hardware."""
        return self._ask("kgb_discover_devices", answers.devices)

    def capabilities(self, device: Device) -> Capabilities:
        """What a device can do; empty where the vendor says nothing."""
        found = self._ask("kgb_capabilities", answers.one_or_none(Capabilities), device=device)
        return found or Capabilities()

    def worker_environment(self, device: Device) -> dict[str, str]:
        """The environment variables that pin a worker process to a device."""
        return self._ask("kgb_worker_environment", answers.strings, device=device)

    def prepare_worker(self, device: Device) -> None:
        """Set up this process, which is a worker of that device."""
        self._ask("kgb_prepare_worker", _ignored, device=device)

    def targets(self) -> list[Target]:
        """What can be compiled for without hardware."""
        return self._ask("kgb_targets", answers.many(Target))

    def target_of(self, device: Device) -> Target | None:
        """The target that lists a device's name, else the one of its architecture."""
        targets = self.targets()
        named = (target for target in targets if device.name in target.device_names)
        alike = (target for target in targets if device.arch is not None and target.arch == device.arch)
        return next(named, None) or next(alike, None)

    def compile(self, launch: Launch, target: Target) -> CompileOutcome:
        """Compile a captured launch, and check what it needs against the target's limits."""
        found = self._ask("kgb_compile", answers.one(CompileOutcome), launch=launch, target=target)
        return checked(found, launch, target)

    def synchronize(self, device: Device) -> None:
        """Wait for everything queued on a device."""
        self._ask("kgb_synchronize", _done, device=device)

    def make_timer(self, device: Device) -> Timer:
        """A timer for a device; make one, outside timed regions, and keep it."""
        return self._ask("kgb_make_timer", answers.timer, device=device)

    def tolerance(self, operator: str, dtype: DType, device: Device) -> Tolerance | None:
        """The vendor's override of a tolerance, with reason and source; `None` for the operator's rule."""
        check = answers.override(self.vendor)
        return self._ask("kgb_tolerance", check, operator=operator, dtype=dtype, device=device)

    def baseline(self, operator: str, device: Device) -> Callable[..., Any] | None:
        """The vendor library's implementation of an operator; `None` for the operator's own function."""
        return self._ask("kgb_baseline", answers.function, operator=operator, device=device)

    def environment(self) -> dict[str, str]:
        """Versions of the operating system, Python, torch and triton, and what the vendor adds."""
        return {**core_environment(), **self._ask("kgb_environment", answers.strings)}

    def check_health(self, device: Device) -> bool:
        """Whether a device is usable after a crash."""
        return self._ask("kgb_check_health", answers.one(bool), device=device)

    def doctor_checks(self) -> list[DoctorCheck]:
        """The vendor's own checks for `kgb doctor`."""
        return self._ask("kgb_doctor_checks", answers.flat(DoctorCheck))

    def prompt_notes(self, target: Target) -> str:
        """What a kernel generator must know about a chip; empty when there is nothing to say."""
        return self._ask("kgb_prompt_notes", answers.one_or_none(str), target=target) or ""

    def _ask(self, hook: str, check: Callable[[object], T], **arguments: object) -> T:
        try:
            return check(getattr(self._manager.hook, hook)(**arguments))
        except (Exception, SystemExit) as error:  # the border to a plugin: whatever it raises is its record
            raise BackendError(self.vendor, hook, error) from error


def _ignored(answer: object) -> None:
    del answer


def _done(answer: object) -> None:
    if answer is not True:
        raise TypeError(f"must return True once the device is idle, returned {answer!r}")
