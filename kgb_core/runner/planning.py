"""What there is to judge: a unit for each candidate, device and purpose, a case for each verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgb_core.judge.check import Task
from kgb_core.judge.tolerance import tolerance_for
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.models.plan import PlannedCase
from kgb_core.models.record import CandidateRef, CaseRef
from kgb_core.operators.registry import Registry
from kgb_core.operators.spec import Operator
from kgb_core.runner.stations import Station


@dataclass(frozen=True)
class Item:
    """One planned case with what is needed to judge it."""

    planned: PlannedCase
    task: Task
    unsupported: str
    """Why the device can't run it for anyone; empty when it can."""


@dataclass(frozen=True)
class Unit:
    """The cases of one purpose that one candidate is judged by on one device: one worker's work."""

    candidate: Candidate
    operator: Operator
    station: Station
    purpose: Purpose
    items: tuple[Item, ...]

    @property
    def key(self) -> str:
        """Names candidate and device: check and perf units of the same pair agree."""
        return f"{self.candidate.pack} {self.candidate.name} {self.operator.name} {self.station.name}"

    def without(self, done: frozenset[str]) -> Unit:
        """The same unit less the planned cases that have a record."""
        left = tuple(item for item in self.items if item.planned.uid not in done)
        return Unit(self.candidate, self.operator, self.station, self.purpose, left)


def units_of(
    candidates: Sequence[Candidate], registry: Registry, stations: Sequence[Station], tier: Tier, seed: int
) -> list[Unit]:
    """Every unit of a run: all checks first, then what is timed.

    Args:
        candidates: matched to operators.
        registry: where their operators are.
        stations: the devices.
        tier: which cases.
        seed: of the run.
    """
    return [
        unit
        for purpose in Purpose
        for station in stations
        for candidate in candidates
        for unit in _units(candidate, registry.get(candidate.operator), station, purpose, tier, seed)
    ]


def _units(
    candidate: Candidate, operator: Operator, station: Station, purpose: Purpose, tier: Tier, seed: int
) -> Iterator[Unit]:
    if purpose is Purpose.PERF and not (station.times and operator.kind.timed):
        return
    cases = operator.selected(purpose, tier)
    if cases:
        items = tuple(_item(candidate, operator, station, case, seed) for case in cases)
        yield Unit(candidate, operator, station, purpose, items)


def _item(candidate: Candidate, operator: Operator, station: Station, case: Case, seed: int) -> Item:
    tolerance = tolerance_for(operator, case, station.backend, station.device)
    uid = _uid(candidate, operator, station, case)
    planned = PlannedCase(
        uid=uid,
        operator=operator.name,
        case=CaseRef(id=case.id, label=case.label, purpose=case.purpose, tier=case.tier, weight=case.weight),
        candidate=CandidateRef(name=candidate.name, sha256=candidate.sha256, pack=candidate.pack),
        device=station.name,
    )
    return Item(planned, Task(uid, operator, case, tolerance, seed), station.unsupported(case))


def _uid(candidate: Candidate, operator: Operator, station: Station, case: Case) -> str:
    parts = (
        operator.name,
        case.id,
        candidate.pack,
        candidate.name,
        candidate.sha256,
        station.name,
        station.device.name,
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
