"""A bundle condensed to one row for each candidate on each device, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Purpose
from kgb_core.models.device import Feature
from kgb_core.models.manifest import System
from kgb_core.models.plan import PlannedCase, device_name
from kgb_core.models.record import CandidateRef, Record
from kgb_core.models.verdict import Family, Verdict
from kgb_core.results.run import Run
from kgb_core.scores.proportion import Proportion, proportion
from kgb_core.scores.row import Row, VerdictCount
from kgb_core.scores.speedup import Point, point_of, speedup_from

_FAMILY_RANK = (
    Family.HONESTY,
    Family.RUN,
    Family.BUILD,
    Family.VALUES,
    Family.INTERFACE,
    Family.NOT_THE_CANDIDATES,
    Family.PASSED,
)
"""Worst first: what a reader must hear of before anything else."""
_UNASKED = frozenset({Verdict.UNSUPPORTED, Verdict.INVALID_CASE})
"""No candidate could have a time for such a case."""


class DeviceTotal(FrozenModel):
    """How many operators are right on one device, by one run."""

    device: str
    run: str
    operators: Proportion
    """Operators with a right kernel, of those that are decided."""
    kernels: Proportion
    """Kernels that are right; the same where each operator has one."""
    unfinished: int
    """Operators of which planned cases are missing and none has failed."""
    unjudged: int
    """Operators of which no case counts on this device."""
    timed: int
    """Kernels with a speedup."""
    untimed: str = ""
    """Why times on this device mean nothing, where its backend says so."""


class BundleSummary(FrozenModel):
    """What `kgb report` shows."""

    rows: tuple[Row, ...]
    totals: tuple[DeviceTotal, ...]


def summarise(
    records: Iterable[Record],
    missing: Iterable[PlannedCase] = (),
    system: System | None = None,
    run: str = "",
) -> BundleSummary:
    """Condense the records of one run, as a stream: memory grows with the rows.

    Args:
        records: the terminal records.
        missing: planned cases without a record; looked at when the records have ended.
        system: of the run, for what its devices can't do.
        run: its id.
    """
    table = _Table()
    for record in records:
        device = device_name(record.backend.name, record.device.index)
        table.tally(device, record.operator, record.candidate).add(_seen(record), point_of(record))
    return table.summary(missing, system, run)


def summarise_run(run: Run) -> BundleSummary:
    """Condense one run of a bundle. Of what was not timed only the heads of the records are read."""
    table = _Table()
    recorded: set[str] = set()
    for line in run.lines():
        head = run.head(line)
        recorded.add(head.uid)
        seen = _Seen(
            head.kind, head.verdict, head.evidence.view, head.case.label, head.message, head.case.purpose
        )
        point = point_of(run.record(line)) if head.timed else None
        table.tally(head.device_name, head.operator, head.candidate).add(seen, point)
    return table.summary(run.remaining(recorded), run.system, run.id)


def summarise_runs(runs: Iterable[Run]) -> BundleSummary:
    """Condense several runs, each for itself."""
    found = [summarise_run(run) for run in runs]
    return BundleSummary(
        rows=tuple(row for summary in found for row in summary.rows),
        totals=tuple(total for summary in found for total in summary.totals),
    )


class _Named(Protocol):
    """A candidate, decoded by whatever library."""

    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def pack(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a row is told of one record."""

    kind: str
    verdict: Verdict
    view: bool
    case: str
    message: str
    purpose: str


@dataclass(frozen=True, slots=True)
class _First:
    """The first case of a verdict."""

    case: str
    message: str


@dataclass(slots=True)
class _Tally:
    """What is known of a row so far; no record is kept."""

    device: str
    operator: str
    candidate: CandidateRef
    kind: str = ""
    missing: int = 0
    views: int = 0
    wanted: int = 0
    counts: Counter[Verdict] = field(default_factory=Counter)
    firsts: dict[Verdict, _First] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)

    def add(self, seen: _Seen, point: Point | None) -> None:
        self.kind = self.kind or seen.kind
        self.counts[seen.verdict] += 1
        self.views += seen.verdict is Verdict.PASSED and seen.view
        self.wanted += seen.purpose == Purpose.PERF and seen.verdict not in _UNASKED
        if seen.verdict not in self.firsts:
            self.firsts[seen.verdict] = _First(seen.case, seen.message)
        if point is not None:
            self.points.append(point)


@dataclass
class _Table:
    """Rows as they grow."""

    tallies: dict[str, _Tally] = field(default_factory=dict)

    def tally(self, device: str, operator: str, candidate: _Named) -> _Tally:
        key = "\0".join((device, operator, candidate.name, candidate.sha256, candidate.pack))
        if key not in self.tallies:
            ref = CandidateRef(name=candidate.name, sha256=candidate.sha256, pack=candidate.pack)
            self.tallies[key] = _Tally(device, operator, ref)
        return self.tallies[key]

    def summary(self, missing: Iterable[PlannedCase], system: System | None, run: str) -> BundleSummary:
        for case in missing:
            tally = self.tally(case.device, case.operator, case.candidate)
            tally.missing += 1
            tally.wanted += case.case.purpose is Purpose.PERF
        rows = tuple(_row(self.tallies[key], run) for key in sorted(self.tallies))
        untimed = _untimed(system) if system is not None else {}
        devices = dict.fromkeys(row.device for row in rows)
        totals = [
            _total(name, run, [row for row in rows if row.device == name], untimed.get(name, ""))
            for name in devices
        ]
        return BundleSummary(rows=rows, totals=tuple(totals))


def _seen(record: Record) -> _Seen:
    return _Seen(
        record.kind,
        record.verdict,
        record.evidence.view,
        record.case.label,
        record.message,
        record.case.purpose,
    )


def _row(tally: _Tally, run: str) -> Row:
    verdicts = _verdicts(tally)
    return Row(
        operator=tally.operator,
        kind=tally.kind,
        candidate=tally.candidate,
        device=tally.device,
        run=run,
        passed=tally.counts[Verdict.PASSED],
        counted=sum(count for verdict, count in tally.counts.items() if verdict.counts),
        missing=tally.missing,
        verdict=_shown(verdicts),
        verdicts=verdicts,
        views=tally.views,
        wanted=tally.wanted,
        speedup=speedup_from(tally.points),
    )


def _shown(verdicts: Sequence[VerdictCount]) -> Verdict | None:
    counted = [found.verdict for found in verdicts if found.verdict.counts]
    return next(iter(counted), None) or next((found.verdict for found in verdicts), None)


def _verdicts(tally: _Tally) -> tuple[VerdictCount, ...]:
    found = [
        VerdictCount(verdict=verdict, count=tally.counts[verdict], case=first.case, message=first.message)
        for verdict, first in tally.firsts.items()
    ]
    return tuple(sorted(found, key=lambda each: (_FAMILY_RANK.index(each.verdict.family), -each.count)))


def _untimed(system: System) -> dict[str, str]:
    """By device, why times mean nothing there."""
    timing = {
        device_name(each.backend.name, each.device.index): each.capabilities.of(Feature.TIMING)
        for each in system.devices
    }
    return {name: found.reason for name, found in timing.items() if not found.support.usable}


def _total(device: str, run: str, rows: Sequence[Row], untimed: str) -> DeviceTotal:
    decided = [row for row in rows if row.decided]
    operators = {row.operator for row in decided}
    right = {row.operator for row in decided if row.right}
    unfinished = {row.operator for row in rows if row.missing} - operators
    return DeviceTotal(
        device=device,
        run=run,
        operators=proportion(len(right), len(operators)),
        kernels=proportion(sum(row.right for row in decided), len(decided)),
        unfinished=len(unfinished),
        unjudged=len({row.operator for row in rows} - operators - unfinished),
        timed=sum(row.speedup is not None for row in rows),
        untimed=untimed,
    )
