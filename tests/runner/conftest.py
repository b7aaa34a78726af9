"""Devices to plan and judge on: the interpreter, and a chip that exists only on paper."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kgb_core import hookimpl
from kgb_core.judge.candidate import CandidateJudge, Patience
from kgb_core.judge.check import Outcome, Task
from kgb_core.judge.tolerance import tolerance_for
from kgb_core.judge.witness import Reference
from kgb_core.models import BackendInfo, Capabilities, Device, Target
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.operators.registry import Registry, load_registry
from kgb_core.plugins.assembly import assemble
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.runner.request import DeviceStrings, RunRequest
from kgb_core.runner.stations import Station, stations_of
from kgb_core.worker import sandbox
from kgb_core.worker.handle import adopt_orphans
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.sandbox import Sandbox


class Chip:
    """A vendor with as many devices as are wanted, and no hardware."""

    info = BackendInfo(
        vendor="chip", display_name="Chip", torch_device_type="cpu", visibility_variable="CHIP_VISIBLE"
    )
    devices: tuple[Device, ...] = (Device(index=0, name="Chip 1"), Device(index=1, name="Chip 1"))
    can: Capabilities | None = None
    targets: tuple[Target, ...] = ()

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.info

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        return list(self.devices)

    @hookimpl
    def kgb_capabilities(self, device: Device) -> Capabilities | None:
        return self.can

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        return list(self.targets)


def a_chip(**fields: Any) -> Backend:
    """The chip's backend; any of its attributes may be changed."""
    return assemble(type("Plugin", (Chip,), fields)(), "chip", "kgb-backend-chip", "0.3")


def a_request(**changes: Any) -> RunRequest:
    """A run of everything; anything may be changed."""
    fields: dict[str, Any] = {
        "packs": (Path("kernels"),),
        "suite": "smoke",
        "operators": (),
        "tier": Tier.SMOKE,
        "backends": (),
        "devices": (),
        "seed": 7,
        "jobs": None,
        "seconds": 60.0,
        "time_seconds": 1.0,
        "sandbox": Sandbox.PROCESS,
        "device_strings": DeviceStrings.AUTO,
        "arguments": (),
        **changes,
    }
    return RunRequest(**fields)


@pytest.fixture(scope="session")
def chip() -> Callable[..., Backend]:
    return a_chip


@pytest.fixture(scope="session")
def request_of() -> Callable[..., RunRequest]:
    return a_request


@pytest.fixture(scope="session")
def stations() -> Callable[..., list[Station]]:
    """Makes the stations of a chip whose attributes are given."""
    return lambda **fields: stations_of([a_chip(**fields)], a_request())


@pytest.fixture(scope="session")
def cpu_station() -> Station:
    """The interpreter."""
    (station,) = stations_of([load_backends(["cpu"]).get("cpu")], a_request())
    return station


@dataclass(frozen=True)
class Court:
    """Where candidates are judged for real: workers, a reference worker, and the operators.

    Attributes:
        workers: the candidates' workers.
        reference: of the interpreter.
        station: the device.
        registry: the installed operators.
    """

    workers: WorkerPool
    reference: Reference
    station: Station
    registry: Registry

    def cases(self, name: str) -> list[Case]:
        """The smoke check cases of an operator that the interpreter can judge."""
        found = self.registry.get(name).selected(Purpose.CHECK, Tier.SMOKE)
        return [case for case in found if not self.station.unsupported(case)]

    def outcomes(self, name: str, source: str, cases: Sequence[Case], seed: int = 3) -> Iterator[Outcome]:
        """The outcomes of cases, one after another."""
        operator, station = self.registry.get(name), self.station
        tasks = [
            Task(
                case.id, operator, case, tolerance_for(operator, case, station.backend, station.device), seed
            )
            for case in cases
        ]
        sha256 = hashlib.sha256(source.encode()).hexdigest()
        candidate = Candidate(
            operator=name,
            name=operator.entry,
            source=source,
            sha256=sha256,
            pack="kernels",
            path=operator.entry,
        )
        judge = CandidateJudge(
            candidate, operator.entry, self.workers, self.reference, Patience(120.0), translate=True
        )
        return judge.outcomes(tasks)


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory, cpu_station: Station) -> Iterator[Court]:
    adopt_orphans()
    scratch = tmp_path_factory.mktemp("bundle") / "scratch"
    scratch.mkdir()
    workers = WorkerPool(cpu_station.candidate_plan(sandbox.choose(), scratch), ahead=1)
    references = WorkerPool(cpu_station.reference_plan(scratch), ahead=0)
    workers.expect(2)
    reference = Reference(references)
    yield Court(workers, reference, cpu_station, load_registry())
    reference.close()
    workers.close()
    references.close()
    assert list(scratch.iterdir()) == []
