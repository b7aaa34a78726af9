"""The conductor: plans a run, starts the engine, and writes one record for each planned case."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import structlog

from kgb_core.errors import BundleError
from kgb_core.judge.candidate import Patience
from kgb_core.judge.check import Outcome
from kgb_core.judge.timed import Stopwatch
from kgb_core.judge.witness import Reference
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Purpose
from kgb_core.models.plan import Plan, Selection, SuiteRef
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.operators.registry import Registry
from kgb_core.results.bundle import BundleWriter
from kgb_core.runner.engine import Crew, LocalEngine
from kgb_core.runner.lane import DeviceState, Judged, Lane, LaneSettings
from kgb_core.runner.planning import Unit, units_of
from kgb_core.runner.records import record_of
from kgb_core.runner.request import RunRequest
from kgb_core.runner.stations import Station
from kgb_core.worker.handle import adopt_orphans
from kgb_core.worker.pool import WorkerPool

SCRATCH = ".scratch"
"""Inside the bundle while it is open; whatever a killed run leaves there goes at the next."""

log = structlog.get_logger()


class Watcher(Protocol):
    """Is told of a run's progress; results are in the bundle."""

    def planned(self, units: Sequence[Unit], recorded: int) -> None:
        """The run begins with these units, of which so many cases have their record already."""

    def recorded(self, record: Record) -> None:
        """One more case has its record."""


@dataclass(frozen=True)
class Prepared:
    """A run that is planned: nothing has been started or written."""

    request: RunRequest
    units: list[Unit]
    stations: list[Station]
    plan: Plan


def prepare(
    request: RunRequest,
    candidates: Sequence[Candidate],
    registry: Registry,
    stations: list[Station],
    suite: SuiteRef,
    run: str,
    created: str,
) -> Prepared:
    """Plan a run."""
    units = units_of(candidates, registry, stations, request.tier, request.seed)
    plan = Plan(
        run=run,
        created=created,
        suite=suite,
        seed=request.seed,
        tier=request.tier,
        selection=Selection(
            operators=request.operators,
            packs=tuple(path.name for path in request.packs),
            devices=tuple(station.name for station in stations),
        ),
        cases=tuple(item.planned for unit in units for item in unit.items),
    )
    return Prepared(request, units, stations, plan)


class Conductor:
    """Runs what was prepared into a bundle.

    Args:
        prepared: the plan.
        writer: of the bundle.
        watcher: is told of progress.
    """

    def __init__(self, prepared: Prepared, writer: BundleWriter, watcher: Watcher) -> None:
        self._prepared = prepared
        self._request = prepared.request
        self._writer = writer
        self._watcher = watcher
        self._failed = _failed_before(prepared, writer)

    def run(self) -> None:
        """Judge everything that has no record yet. The bundle stays open.

        Raises:
            BundleError: the bundle can't be written.
            NoDeviceError: no worker starts on a device; nothing was judged.
        """
        adopt_orphans()
        scratch = self._fresh_scratch()
        for unit in self._prepared.units:
            self._writer.add_source(unit.candidate)
        self._watcher.planned(self._prepared.units, len(self._writer.recorded))
        engine = LocalEngine(
            {station.name: self._crew(station, scratch) for station in self._prepared.stations}
        )
        try:
            engine.prove()
            self._stage(engine, Purpose.CHECK)
            self._stage(engine, Purpose.PERF)
        finally:
            engine.close()
            shutil.rmtree(scratch, ignore_errors=True)

    def _stage(self, engine: LocalEngine, purpose: Purpose) -> None:
        units = [unit for unit in self._left() if unit.purpose is purpose]
        if purpose is Purpose.PERF:
            units = [unit for unit in units if not self._skipped(unit)]
        if not units:
            return
        for judged in engine.run(units):
            self._record(judged)

    def _left(self) -> Iterator[Unit]:
        done = frozenset(self._writer.recorded)
        return (unit for unit in (u.without(done) for u in self._prepared.units) if unit.items)

    def _skipped(self, unit: Unit) -> bool:
        """Record the perf cases of a candidate that is not right: only what is right is timed."""
        if unit.key not in self._failed:
            return False
        for item in unit.items:
            self._record(Judged(unit, item, Outcome(Verdict.SKIPPED, "not timed: a check case failed")))
        return True

    def _record(self, judged: Judged) -> None:
        record = record_of(judged, self._prepared.plan.run, self._prepared.plan.suite, self._request)
        self._writer.append(record)
        self._note_failure(judged.unit, record)
        self._watcher.recorded(record)

    def _note_failure(self, unit: Unit, record: Record) -> None:
        if _is_wrong(record.verdict):
            self._failed.add(unit.key)

    def _fresh_scratch(self) -> Path:
        scratch = (self._writer.path / SCRATCH).resolve()
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        return scratch

    def _crew(self, station: Station, scratch: Path) -> Crew:
        jobs = station.jobs(self._request.jobs)
        workers = WorkerPool(station.candidate_plan(self._request.sandbox, scratch), ahead=jobs)
        references = WorkerPool(station.reference_plan(scratch), ahead=0)
        state = DeviceState()
        settings = LaneSettings(
            patience=Patience(self._request.seconds),
            translate=station.translates(self._request.device_strings),
            time_case=self._stopwatch(station).time_case if station.times else None,
            checks_hardware=station.backend.info.needs_hardware,
        )
        lanes = [Lane(workers, Reference(references), state, settings) for _ in range(jobs)]
        return Crew(lanes, [workers, references])

    def _stopwatch(self, station: Station) -> Stopwatch:
        return Stopwatch(
            budget_seconds=self._request.time_seconds,
            peaks=station.peaks,
            cache_bytes=station.device.last_level_cache_bytes,
            keep=self._writer.add_samples,
        )


def _failed_before(prepared: Prepared, writer: BundleWriter) -> set[str]:
    """Keys of the units that an interrupted run has already found wrong."""
    wrong = {uid for uid, verdict in writer.recorded.items() if _is_wrong(verdict)}
    return {unit.key for unit in prepared.units if any(item.planned.uid in wrong for item in unit.items)}


def _is_wrong(verdict: Verdict) -> bool:
    return verdict.counts and verdict is not Verdict.PASSED


def same_plan(prepared: Prepared, writer: BundleWriter) -> None:
    """Refuse to resume a bundle that was planned differently.

    Raises:
        BundleError: suite, candidates, devices or tier have changed since.
    """
    before = {case.uid for case in writer.plan.cases}
    now = {case.uid for case in prepared.plan.cases}
    if before != now or writer.plan.suite != prepared.plan.suite:
        raise BundleError(
            f"{writer.path} was planned differently",
            f"{len(now - before)} cases are new and {len(before - now)} are gone; the suite is "
            f"{prepared.plan.suite.label}, it was {writer.plan.suite.label}",
            "run the same command on the same kernels, or start a new run without --resume",
        )
