"""Checking one run, record by record: complete, consistent with its plan and its manifest, plausible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from kgb_core.errors import BundleError
from kgb_core.models.conformance import CONFORMANCE_SCHEMA, Conformance, ConformanceRef, conformance_of
from kgb_core.models.manifest import MANIFEST_SCHEMA, SYSTEM_SCHEMA, Manifest, System
from kgb_core.models.plan import PlanHeader, PlannedCase, device_name
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.results import layout
from kgb_core.results.documents import read_document
from kgb_core.results.lines import torn_bytes
from kgb_core.results.plausible import implausible
from kgb_core.results.problems import Problem, Severity, error, note, some, unreadable, warning
from kgb_core.results.run import Run
from kgb_core.results.upgrade import UPGRADES

T = TypeVar("T")


class RunCheck:
    """One pass over a run.

    Args:
        root: its directory.
        hashes: sha256 of every listed file that is there, by its path inside.
    """

    def __init__(self, root: Path, hashes: Mapping[str, str]) -> None:
        self._root = root
        self._hashes = hashes
        self._unreadable: list[Problem] = []
        self._manifest = self._read(lambda: read_document(root / layout.MANIFEST, Manifest, MANIFEST_SCHEMA))
        self._system = self._read(lambda: read_document(root / layout.SYSTEM, System, SYSTEM_SCHEMA))
        self._plan: PlanHeader | None = None
        self._expected: dict[str, int] = {}
        self._read(self._index_plan)
        self._first_line: dict[str, int] = {}
        self._counts: Counter[Verdict] = Counter()
        self._sources: set[str] = set()

    def problems(self) -> Iterator[Problem]:
        """Everything that is wrong or must be known, in the order of the files."""
        yield from self._unreadable
        yield from self._documents()
        yield from _integrity(self._manifest, self._hashes)
        run = Run(self._root, self._plan, self._system, self._manifest, UPGRADES)
        yield from self._records(run)
        yield from self._completeness(run)
        yield from self._agreement()
        yield from self._conformance()
        yield from _notes(self._manifest)

    def _read(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except BundleError as found:
            self._unreadable.append(unreadable(str(self._root), found))
            return None

    def _index_plan(self) -> None:
        planned = Run(self._root, None, None, None, UPGRADES).planned()
        if planned is None:
            return
        self._plan = planned.header
        for case in planned.cases():
            if case.uid in self._expected:
                self._unreadable.append(error(layout.PLAN, f"two planned cases are {case.uid}"))
            self._expected[case.uid] = _identity_of_planned(case)

    def _documents(self) -> Iterator[Problem]:
        told = {problem.file for problem in self._unreadable}
        if self._plan is None and layout.PLAN not in told:
            yield error(layout.PLAN, "missing: what was planned is unknown")
        if self._system is None and layout.SYSTEM not in told:
            yield error(layout.SYSTEM, "missing")
        if self._manifest is None and layout.MANIFEST not in told:
            yield warning(layout.MANIFEST, "missing: the run was interrupted, or goes on")

    def _records(self, run: Run) -> Iterator[Problem]:
        for line in run.lines():
            try:
                record = run.record(line)
            except BundleError as found:
                yield unreadable(str(self._root), found)
                continue
            self._counts[record.verdict] += 1
            self._sources.add(record.candidate.sha256)
            for message in self._of_record(record):
                yield error(layout.RESULTS, message, line.number)
            self._first_line.setdefault(record.uid, line.number)

    def _of_record(self, record: Record) -> Iterator[str]:
        if record.uid in self._first_line:
            yield f"a second record for {record.uid}; the first is on line {self._first_line[record.uid]}"
        if self._plan is not None:
            yield from self._against_plan(record, self._plan)
        yield from implausible(self._root, record)

    def _against_plan(self, record: Record, plan: PlanHeader) -> Iterator[str]:
        if record.run != plan.run:
            yield f"it is of run {record.run}"
        if record.suite != plan.suite.label:
            yield f"it is of suite {record.suite}; the plan is of {plan.suite.label}"
        planned = self._expected.get(record.uid)
        if planned is None:
            yield f"{record.uid} was not planned"
        elif planned != _identity_of_record(record):
            yield f"operator, case, candidate or device of {record.uid} are not the planned ones"

    def _completeness(self, run: Run) -> Iterator[Problem]:
        if torn_bytes(run.results):
            yield warning(layout.RESULTS, "the last line is torn", sum(self._counts.values()) + 1)
        lost = [sha for sha in sorted(self._sources) if layout.source_path(sha) not in self._hashes]
        if lost:
            yield error(layout.KERNELS, f"the source of a judged candidate is missing: {some(lost)}")
        for sha in sorted(self._sources.difference(lost)):
            if self._hashes[layout.source_path(sha)] != sha:
                yield error(layout.source_path(sha), "altered: its sha256 is not its name")
        if self._plan is not None:
            yield from self._missing(run)

    def _missing(self, run: Run) -> Iterator[Problem]:
        missing = len(self._expected.keys() - self._first_line.keys())
        if not missing:
            return
        first = next(run.remaining(self._first_line.keys()))
        named = f"{first.operator} {first.case.label} on {first.device} ({first.uid})"
        count = "1 planned case has" if missing == 1 else f"{missing} planned cases have"
        which = "it is" if missing == 1 else "the first is"
        severity = Severity.ERROR if self._manifest else Severity.WARNING
        message = f"{count} no record; {which} {named}"
        yield Problem(file=layout.RESULTS, severity=severity, message=message)

    def _agreement(self) -> Iterator[Problem]:
        manifest = self._manifest
        if manifest is None:
            return
        if dict(self._counts) != {verdict: count for verdict, count in manifest.counts.items() if count}:
            yield error(layout.MANIFEST, "its counts are not those of the records")
        if self._plan is None:
            return
        if manifest.planned != len(self._expected):
            message = f"says {manifest.planned} planned cases; the plan has {len(self._expected)}"
            yield error(layout.MANIFEST, message)
        for name in ("run", "suite", "seed", "tier", "created"):
            if getattr(manifest, name) != getattr(self._plan, name):
                yield error(layout.MANIFEST, f"its {name} is not the plan's")

    def _conformance(self) -> Iterator[Problem]:
        """What the manifest says of each plugin, against the record that it names."""
        if self._manifest is None:
            return
        for told in self._manifest.conformance:
            try:
                record = self._conformance_record(told)
            except BundleError as found:
                yield unreadable(str(self._root), found)
                continue
            if conformance_of(told.backend, self._manifest.core, record, told.file) != told:
                yield error(layout.MANIFEST, f"conformance of {told.text}: its record doesn't say so")
            yield note(layout.MANIFEST, f"conformance of {told.text}")

    def _conformance_record(self, told: ConformanceRef) -> Conformance | None:
        path = self._root / told.file
        return read_document(path, Conformance, CONFORMANCE_SCHEMA) if told.file else None


def _integrity(manifest: Manifest | None, hashes: Mapping[str, str]) -> Iterator[Problem]:
    return against_hashes(manifest.files, hashes) if manifest else iter(())


def against_hashes(listed: Mapping[str, str], hashes: Mapping[str, str]) -> Iterator[Problem]:
    """What differs between the files that a manifest lists and those that are there."""
    for file, digest in listed.items():
        if file not in hashes:
            yield error(file, "listed in the manifest and missing")
        elif hashes[file] != digest:
            yield error(file, "altered: its sha256 is not the manifest's")
    for file in sorted(hashes.keys() - listed.keys()):
        yield warning(file, "not listed in the manifest")


def _notes(manifest: Manifest | None) -> Iterator[Problem]:
    if manifest is None:
        return
    if manifest.synthetic:
        yield note(layout.MANIFEST, "synthetic: a program made the records up, nothing was measured")
    if manifest.rejudged:
        source = manifest.rejudged
        yield note(layout.MANIFEST, f"rejudged from the measurements of {source.run}: {source.reason}")


def _identity_of_planned(case: PlannedCase) -> int:
    """A number instead of the planned case: a large plan would not fit in memory as objects."""
    ref, candidate = case.case, case.candidate
    return hash((case.operator, *_fields(ref), *_fields(candidate), case.device))


def _identity_of_record(record: Record) -> int:
    device = device_name(record.backend.name, record.device.index)
    return hash((record.operator, *_fields(record.case), *_fields(record.candidate), device))


def _fields(model: object) -> Collection[object]:
    values: Collection[object] = vars(model).values()
    return values
