"""A bundle condensed to one row for each candidate on each device, as data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from kgb_core.models.base import FrozenModel
from kgb_core.models.device import Feature
from kgb_core.models.manifest import System
from kgb_core.models.plan import PlannedCase, device_name
from kgb_core.models.record import CandidateRef, Record
from kgb_core.models.verdict import Family, Verdict
from kgb_core.report.interval import Proportion, proportion
from kgb_core.report.speedup import Speedup, speedup_of

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


class VerdictCount(FrozenModel):
    """How often a verdict was given, with the message of its first case."""

    verdict: Verdict
    count: int
    case: str
    """Label of the first such case."""
    message: str


class Row(FrozenModel):
    """One candidate on one device."""

    operator: str
    kind: str
    candidate: CandidateRef
    device: str
    passed: int
    counted: int
    """Cases in the denominator: all but those whose verdict is not the candidate's."""
    missing: int
    """Planned cases without a record."""
    verdict: Verdict | None
    """The worst of the counted cases; else the first of the others; `None` before any case was judged."""
    verdicts: tuple[VerdictCount, ...]
    """Every verdict given, worst first."""
    views: int
    """Passed cases that were answered with a view."""
    speedup: Speedup | None

    @property
    def failed(self) -> int:
        """Counted cases that did not pass."""
        return self.counted - self.passed

    @property
    def broke(self) -> bool:
        """True where the harness itself failed on a case: nothing is known of that one."""
        return any(found.verdict is Verdict.HARNESS_ERROR for found in self.verdicts)

    @property
    def right(self) -> bool:
        """True when every counted case passed, at least one did, and none is missing."""
        return self.passed > 0 and self.failed == 0 and self.missing == 0

    @property
    def decided(self) -> bool:
        """True where no further case can change whether it is right."""
        return self.failed > 0 or self.right


class DeviceTotal(FrozenModel):
    """How many operators are right on one device."""

    device: str
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
    records: Iterable[Record], missing: Iterable[PlannedCase] = (), system: System | None = None
) -> BundleSummary:
    """Condense records.

    Args:
        records: the terminal records of a bundle.
        missing: planned cases without a record.
        system: of the bundle, for what its devices can't do.
    """
    rows = tuple(_rows(list(records), list(missing)))
    devices = dict.fromkeys(row.device for row in rows)
    untimed = _untimed(system) if system is not None else {}
    return BundleSummary(
        rows=rows,
        totals=tuple(
            _total(name, [row for row in rows if row.device == name], untimed.get(name, ""))
            for name in devices
        ),
    )


class _Key(FrozenModel):
    operator: str
    candidate: CandidateRef
    device: str


def _rows(records: Sequence[Record], missing: Sequence[PlannedCase]) -> Iterable[Row]:
    groups: dict[_Key, list[Record]] = defaultdict(list)
    absent: Counter[_Key] = Counter()
    for record in records:
        device = device_name(record.backend.name, record.device.index)
        groups[_Key(operator=record.operator, candidate=record.candidate, device=device)].append(record)
    for case in missing:
        absent[_Key(operator=case.operator, candidate=case.candidate, device=case.device)] += 1
    keys = dict.fromkeys([*groups, *absent])
    order = sorted(keys, key=lambda key: (key.device, key.operator, key.candidate.name))
    return (_row(key, groups.get(key, []), absent[key]) for key in order)


def _row(key: _Key, records: Sequence[Record], missing: int) -> Row:
    counted = [record for record in records if record.verdict.counts]
    verdicts = _verdicts(records)
    return Row(
        operator=key.operator,
        kind=records[0].kind if records else "",
        candidate=key.candidate,
        device=key.device,
        passed=sum(record.verdict is Verdict.PASSED for record in counted),
        counted=len(counted),
        missing=missing,
        verdict=_shown(verdicts),
        verdicts=verdicts,
        views=sum(record.evidence.view for record in counted if record.verdict is Verdict.PASSED),
        speedup=speedup_of(records),
    )


def _shown(verdicts: Sequence[VerdictCount]) -> Verdict | None:
    counted = [found.verdict for found in verdicts if found.verdict.counts]
    return next(iter(counted), None) or next((found.verdict for found in verdicts), None)


def _verdicts(records: Sequence[Record]) -> tuple[VerdictCount, ...]:
    groups: dict[Verdict, list[Record]] = defaultdict(list)
    for record in records:
        groups[record.verdict].append(record)
    found = [
        VerdictCount(verdict=verdict, count=len(group), case=group[0].case.label, message=group[0].message)
        for verdict, group in groups.items()
    ]
    return tuple(sorted(found, key=lambda each: (_FAMILY_RANK.index(each.verdict.family), -each.count)))


def _untimed(system: System) -> dict[str, str]:
    """By device, why times mean nothing there."""
    timing = {
        device_name(each.backend.name, each.device.index): each.capabilities.of(Feature.TIMING)
        for each in system.devices
    }
    return {name: found.reason for name, found in timing.items() if not found.support.usable}


def _total(device: str, rows: Sequence[Row], untimed: str) -> DeviceTotal:
    decided = [row for row in rows if row.decided]
    operators = {row.operator for row in decided}
    right = {row.operator for row in decided if row.right}
    unfinished = {row.operator for row in rows if row.missing} - operators
    return DeviceTotal(
        device=device,
        operators=proportion(len(right), len(operators)),
        kernels=proportion(sum(row.right for row in decided), len(decided)),
        unfinished=len(unfinished),
        unjudged=len({row.operator for row in rows} - operators - unfinished),
        timed=sum(row.speedup is not None for row in rows),
        untimed=untimed,
    )
