"""The devices of a run: which backend, which device, what it can do, and how workers get there."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from kgb_core.errors import NoDeviceError, UsageError
from kgb_core.models.case import Case
from kgb_core.models.device import Capabilities, Device, Feature, Peaks, Support, Target
from kgb_core.models.plan import device_name
from kgb_core.models.record import BackendRef
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.interpreter import Interpreter
from kgb_core.runner.request import DeviceStrings, RunRequest
from kgb_core.worker.handle import CANDIDATE_MODULE, REFERENCE_MODULE, WorkerPlan
from kgb_core.worker.sandbox import Sandbox

_LARGE_NUMEL = 2**31
_FAR_COPIES = 3
_HOST_MEMORY_SHARE = 0.6
_DEVICE_JOBS = 4


@dataclass(frozen=True)
class Station:
    """One device with everything that is known of it before a worker starts."""

    backend: Backend
    ref: BackendRef
    device: Device
    capabilities: Capabilities
    target: Target | None
    interpreter: Interpreter | None = None
    """What its workers run under; `None`: what the conductor runs under."""

    @property
    def name(self) -> str:
        """`vendor:index`."""
        return device_name(self.ref.name, self.device.index)

    @property
    def times(self) -> bool:
        """True where measured times mean something."""
        return self.capabilities.of(Feature.TIMING).support.usable

    @property
    def peaks(self) -> Peaks:
        """Datasheet ceilings; empty where no source gives them."""
        return self.target.peaks if self.target else Peaks()

    def translates(self, wanted: DeviceStrings) -> bool:
        """True where candidates' device names are rewritten."""
        if wanted is DeviceStrings.AUTO:
            return not self.backend.info.needs_hardware
        return wanted is DeviceStrings.TRANSLATE

    def jobs(self, wanted: int | None) -> int:
        """How many candidates are judged at once."""
        if wanted is not None:
            return wanted
        cores = os.cpu_count() or 1
        return max(1, min(_DEVICE_JOBS, cores // 2) if self.backend.info.needs_hardware else cores)

    def unsupported(self, case: Case) -> str:
        """Why the device can't run a case for anyone; empty when it can."""
        refusal = self.capabilities.refusal(case.dtypes())
        if refusal:
            return refusal
        far = sum(tensor.far_bytes for tensor in case.tensors())
        large = any(tensor.numel >= _LARGE_NUMEL for tensor in case.tensors())
        memory = self.capabilities.of(Feature.LARGE_MEMORY)
        if (large or far) and memory.support is Support.UNSUPPORTED:
            return memory.reason
        return self._too_far(far)

    def _too_far(self, far: int) -> str:
        """Why far tensors do not fit; both workers hold them, and the native implementation's copy."""
        wanted, there = _FAR_COPIES * far, self.device.memory_bytes
        if there is None or wanted <= there:
            return ""
        return f"needs {wanted / 2**30:.0f} GiB of address space on the device, it has {there / 2**30:.0f}"

    def candidate_plan(self, level: Sandbox, scratch: Path) -> WorkerPlan:
        """How candidate workers are started."""
        return self._plan(CANDIDATE_MODULE, level, scratch, self._memory())

    def reference_plan(self, scratch: Path) -> WorkerPlan:
        """How reference workers are started: trusted, so not confined."""
        return self._plan(REFERENCE_MODULE, Sandbox.PROCESS, scratch, None)

    def _plan(self, module: str, level: Sandbox, scratch: Path, memory: int | None) -> WorkerPlan:
        return WorkerPlan(
            module=module,
            python=self.interpreter.path if self.interpreter else sys.executable,
            backend=self.ref.name,
            device=self.device,
            environment=dict(self.backend.worker_environment(self.device)),
            level=level,
            scratch_root=scratch,
            hidden=scratch.parent,
            memory_bytes=memory,
        )

    def _memory(self) -> int | None:
        if self.backend.info.needs_hardware:
            return None
        return int(psutil.virtual_memory().total * _HOST_MEMORY_SHARE)


def stations_of(backends: list[Backend], request: RunRequest) -> list[Station]:
    """The usable devices of the chosen backends, narrowed by the request.

    Raises:
        NoDeviceError: there is none.
        UsageError: a named device is not among them.
    """
    under = request.interpreters
    found = [station for backend in backends for station in _of(backend, under.get(backend.vendor))]
    wanted = set(request.devices)
    missing = sorted(wanted - {station.name for station in found})
    if missing:
        known = ", ".join(station.name for station in found) or "none"
        raise UsageError(f"no device {', '.join(missing)}.", f"found: {known}", "kgb devices lists them")
    kept = [s for s in found if not wanted or s.name in wanted]
    usable = [station for station in kept if station.device.state is None]
    if not usable:
        raise _nothing_usable(backends, kept)
    return usable


def _nothing_usable(backends: list[Backend], kept: list[Station]) -> NoDeviceError:
    if not backends:
        return NoDeviceError(
            "no backend is selected.", "KGB_BACKENDS is empty", "kgb backends lists the installed ones"
        )
    names = ", ".join(backend.vendor for backend in backends)
    states = "; ".join(f"{s.name}: {s.device.state}" for s in kept if s.device.state)
    return NoDeviceError(
        f"{names} has no usable device here.", states or "it found none", "kgb doctor says why"
    )


def _of(backend: Backend, interpreter: Interpreter | None) -> list[Station]:
    ref = BackendRef(name=backend.vendor, version=backend.version)
    return [
        Station(backend, ref, device, backend.capabilities(device), backend.target_of(device), interpreter)
        for device in backend.discover_devices()
    ]
