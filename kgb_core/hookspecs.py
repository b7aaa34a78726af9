"""The contract with vendors: every hook that a backend may implement, in one flat file.

A backend is a class under the entry-point group `kgb.backends`; its methods marked `@hookimpl` answer these
specifications. Two are required: `kgb_backend_info` and `kgb_discover_devices`. For all others `None`, or no
implementation, means the core's default. An implementation may leave out arguments that it doesn't need.

Unless a docstring says otherwise: a hook may raise anything (the core reports it as `BackendError` with
vendor and hook), is called outside timed regions, and must not import torch or triton at import time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pluggy

from kgb_core.models.device import BackendInfo, Capabilities, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.dtypes import DType
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.models.timer import Timer
from kgb_core.models.tolerance import Tolerance

PROJECT = "kgb"
HOOK_API = (1, 0)
"""(major, minor). A plugin may state `api = (1, 0)`: same major, and a minor that the core has reached."""

REQUIRED = frozenset({"kgb_backend_info", "kgb_discover_devices"})

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec(firstresult=True)
def kgb_backend_info() -> BackendInfo:  # type: ignore[empty-body]
    """State who this backend is. Required.

    Called often and first, in every process; must be free of imports, files and processes.
    """


@hookspec(firstresult=True)
def kgb_probe() -> Probe | None:
    """Weigh the evidence that this vendor's stack is on this machine.

    Called by `kgb doctor` and when no backend was named. Several vendors answer
    `torch.cuda.is_available()`, so look for what only this chip has. `None`: the core looks for the PCI
    vendor
    id and for the tool's word. Must not raise for "nothing here"; may start short processes.
    """


@hookspec(firstresult=True)
def kgb_discover_devices() -> list[Device]:  # type: ignore[empty-body]
    """List the devices of this vendor that this process may use. Required.

    Called once a run, and by `kgb devices`. Returns `[]` without hardware and never raises for that. Must not
    create a device context; may start short processes.
    """


@hookspec(firstresult=True)
def kgb_capabilities(device: Device) -> Capabilities | None:
    """State what a device can do, per dtype and feature; what is left out is unknown.

    Called once a device and run. Cases that need something `unsupported` are not run, are listed with
    the reason and leave the denominator.
    """


@hookspec(firstresult=True)
def kgb_worker_environment(device: Device) -> Mapping[str, str] | None:
    """Give the environment that pins a worker process to one device.

    Called before each worker starts. `None`: the visibility variable of `kgb_backend_info` is set.
    """


@hookspec
def kgb_prepare_worker(device: Device) -> None:
    """Set up the interpreter of a worker, after torch is imported and before any candidate is.

    Called once in each worker process. For what a chip's stack needs and an environment can't say: a patch of
    the vendor's Triton, a flag of torch.
    """


@hookspec(firstresult=True)
def kgb_targets() -> Sequence[Target] | None:
    """List what this backend can compile for without hardware, with limits and peaks and their sources.

    Called by `kgb compile` and to find a device's limits and peaks. `None`: nothing. A number that no trusted
    source gives stays `None`.
    """


@hookspec(firstresult=True)
def kgb_compile(launch: Launch, target: Target) -> CompileOutcome | None:
    """Compile one captured launch for a target, without a device.

    Called in a worker process, once for each distinct launch; seconds are fine. `None`: stock Triton does it.
    A compiler's rejection is an outcome with `error` and `log`, not an exception.
    """


@hookspec(firstresult=True)
def kgb_synchronize(device: Device) -> bool | None:
    """Wait for everything queued on the device, on all streams; return True when done.

    Called in a worker, between calls. `None`: `torch.accelerator` or the device module does it.
    """


@hookspec(firstresult=True)
def kgb_make_timer(device: Device) -> Timer | None:
    """Make the timer for a device. Called once in a worker, never in a timed region.

    `None`: device events if torch has them, else the host's clock, flagged `host`.
    """


@hookspec(firstresult=True)
def kgb_tolerance(operator: str, dtype: DType, device: Device) -> Tolerance | None:
    """Loosen or tighten the numeric bound for one operator and dtype on this chip.

    Called once per (operator, dtype, device) when a run is planned. `None` leaves the operator's rule.
    An override must carry a `reason`; it is stored with every record that it touched, and the report
    shows which verdicts depended on it.
    """


@hookspec(firstresult=True)
def kgb_baseline(operator: str, device: Device) -> object | None:
    """Give the vendor library's implementation of an operator that asks for one, as a callable.

    Called once per operator in the reference worker. `None`: the operator's own function is the baseline.
    """


@hookspec(firstresult=True)
def kgb_environment() -> Mapping[str, str] | None:
    """Name driver, SDK and compiler versions for the manifest, beyond what the core records.

    Called once a run. Unknown versions are left out.
    """


@hookspec(firstresult=True)
def kgb_check_health(device: Device) -> bool | None:
    """Say whether a device is usable after a crash. Called in a fresh worker process.

    `None`: the core runs a tiny computation and compares it.
    """


@hookspec
def kgb_doctor_checks() -> Sequence[DoctorCheck]:  # type: ignore[empty-body]
    """Add checks of this vendor's own to `kgb doctor`, each with a fix. May start short processes."""


@hookspec(firstresult=True)
def kgb_prompt_notes(target: Target) -> str | None:
    """Tell a kernel generator what it must know about a chip: limits, forbidden features. Plain text."""
