"""One pass over the records of a run: what the page keeps of each candidate on each device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kgb_core.models.device import Device
from kgb_core.models.plan import PlannedCase, device_name
from kgb_core.models.record import BackendRef, CandidateRef, CaseRef, Record
from kgb_core.models.timing import Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.report.html.detail import CaseLine, Observation, Remark
from kgb_core.report.html.short import short_errors
from kgb_core.results.run import Run
from kgb_core.scores.summary import BundleSummary, summarise

REMARKS = 12
"""Of one candidate on one chip; the bundle has the others."""
TEXT = 4000
"""Characters of a traceback, of what was printed and of a message that are kept."""
_QUIET = frozenset({Verdict.PASSED, Verdict.UNSUPPORTED, Verdict.SKIPPED})


@dataclass(frozen=True)
class Key:
    """A candidate on a device."""

    device: str
    operator: str
    pack: str
    name: str
    sha256: str


@dataclass
class Timed:
    """A timing and where its raw times lie."""

    case: int
    uid: str
    timing: Timing


@dataclass
class Gathered:
    """What is kept of a candidate on a device."""

    verdicts: dict[int, Verdict] = field(default_factory=dict)
    observations: dict[Verdict, Observation] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    unsaid: int = 0
    timed: list[Timed] = field(default_factory=list)


@dataclass
class Cases:
    """The cases of one operator, in the order met, over all runs."""

    lines: list[CaseLine] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def place(self, case: CaseRef) -> int:
        """The number of a case."""
        if case.id not in self.places:
            self.places[case.id] = len(self.lines)
            self.lines.append(
                CaseLine(id=case.id, label=case.label, purpose=case.purpose.value, tier=case.tier.value)
            )
        return self.places[case.id]


@dataclass
class Judged:
    """Cases that were judged under a tolerance which is not the core's."""

    cases: int = 0
    passed: int = 0
    nearest: float | None = None

    def add(self, record: Record) -> None:
        """Count one."""
        self.cases += 1
        if record.verdict is Verdict.PASSED:
            self.passed += 1
            if record.errors is not None:
                self.nearest = max(self.nearest or 0.0, record.errors.scale)


@dataclass(frozen=True)
class Ruled:
    """For whom a tolerance was changed, by whom and why."""

    device: str
    operator: str
    source: str
    reason: str


@dataclass
class RunContent:
    """What one run gave."""

    run: Run
    rows: dict[Key, Gathered] = field(default_factory=dict)
    overrides: dict[Ruled, Judged] = field(default_factory=dict)
    devices: dict[str, Device] = field(default_factory=dict)
    backends: dict[str, BackendRef] = field(default_factory=dict)
    records: int = 0
    summary: BundleSummary = field(default_factory=lambda: BundleSummary(rows=(), totals=()))

    def row(self, device: str, operator: str, candidate: CandidateRef) -> Gathered:
        """What is kept of a candidate on a device."""
        key = Key(device, operator, candidate.pack, candidate.name, candidate.sha256)
        return self.rows.setdefault(key, Gathered())


@dataclass
class Gatherer:
    """Reads runs one after the other."""

    cases: dict[str, Cases] = field(default_factory=dict)
    """By operator."""

    def read(self, run: Run) -> RunContent:
        """Read every record of a run once.

        Raises:
            BundleError: a line is malformed, naming file and line.
        """
        content = RunContent(run)
        recorded: set[str] = set()
        records = self._tapped(content, recorded)
        content.summary = summarise(records, self._missing(content, recorded), run.system, run.id)
        return content

    def _tapped(self, content: RunContent, recorded: set[str]) -> Iterator[Record]:
        for record in content.run.records():
            recorded.add(record.uid)
            self._add(content, record)
            yield record

    def _missing(self, content: RunContent, recorded: set[str]) -> Iterator[PlannedCase]:
        for planned in content.run.remaining(recorded):
            self._place(planned.operator, planned.case)
            yield planned

    def _place(self, operator: str, case: CaseRef) -> int:
        return self.cases.setdefault(operator, Cases()).place(case)

    def _add(self, content: RunContent, record: Record) -> None:
        device = device_name(record.backend.name, record.device.index)
        content.records += 1
        content.devices.setdefault(device, record.device)
        content.backends.setdefault(device, record.backend)
        row = content.row(device, record.operator, record.candidate)
        place = self._place(record.operator, record.case)
        row.verdicts[place] = record.verdict
        if record.timing is not None:
            row.timed.append(Timed(place, record.uid, record.timing))
        if not _is_core(record.tolerance):
            _count(content, device, record)
        _note(row, place, record)


def _count(content: RunContent, device: str, record: Record) -> None:
    if record.tolerance is not None:
        ruled = Ruled(device, record.operator, record.tolerance.source, record.tolerance.reason)
        content.overrides.setdefault(ruled, Judged()).add(record)


def _note(row: Gathered, place: int, record: Record) -> None:
    if record.verdict not in row.observations:
        row.observations[record.verdict] = _observation(place, record)
    elif record.verdict not in _QUIET and len(row.remarks) < REMARKS:
        row.remarks.append(Remark(case=place, message=record.message[:200]))
    elif record.verdict not in _QUIET:
        row.unsaid += 1


def _observation(place: int, record: Record) -> Observation:
    evidence = record.evidence.model_copy(
        update={
            "traceback": capped(record.evidence.traceback),
            "output": capped(record.evidence.output),
            "findings": record.evidence.findings[:REMARKS],
        }
    )
    return Observation(
        case=place,
        verdict=record.verdict,
        message=capped(record.message),
        errors=short_errors(record.errors),
        evidence=evidence,
        tolerance=None if _is_core(record.tolerance) else record.tolerance,
    )


def capped(text: str) -> str:
    """The beginning of a text; what is left out is said."""
    return text if len(text) <= TEXT else f"{text[:TEXT]}\n… {len(text) - TEXT} more characters in the bundle"


def _is_core(tolerance: Tolerance | None) -> bool:
    return tolerance is None or (tolerance.source == "core" and not tolerance.reason)
