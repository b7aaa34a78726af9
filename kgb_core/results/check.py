"""Checking a bundle that came from somewhere else: is it whole, unaltered, complete and plausible?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.manifest import MANIFEST_SCHEMA, Manifest
from kgb_core.models.plan import PlannedCase, device_name
from kgb_core.models.record import Record
from kgb_core.results import layout
from kgb_core.results.bundle import hash_files
from kgb_core.results.plausible import timing_problems
from kgb_core.results.reader import Bundle, parse_document, read_bundle, require_bundle


class Severity(str, Enum):
    """How bad a problem is."""

    ERROR = "error"
    """The bundle says something that can't be right."""
    WARNING = "warning"
    """The bundle is incomplete in a way that an interrupted run explains."""


class Problem(FrozenModel):
    """One thing that is wrong, with its place."""

    file: str
    """Inside the bundle."""
    line: int | None = None
    severity: Severity
    message: str

    @property
    def place(self) -> str:
        """`results.jsonl:12`, or the file alone."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


def check_bundle(path: Path | str, strict: bool = False) -> list[Problem]:
    """Check a bundle.

    Args:
        path: its directory.
        strict: an interrupted run is an error, too: every planned case must have its record, and the manifest
            must be there.

    Returns:
        Every problem found; none means that the bundle may be merged and published.

    Raises:
        BundleError: there is no bundle.
    """
    root = require_bundle(Path(path))
    try:
        bundle = read_bundle(root)
    except BundleError as error:
        return [_unreadable(root, error), *_integrity(root, _manifest_alone(root))]
    problems = [*_completeness(bundle), *_integrity(root, bundle.manifest), *_agreement(bundle)]
    problems += _records(bundle)
    return [
        problem.model_copy(update={"severity": Severity.ERROR}) if strict else problem for problem in problems
    ]


def _unreadable(root: Path, error: BundleError) -> Problem:
    place, _, rest = error.what.removeprefix(f"{root}/").partition(": ")
    file, _, line = place.partition(":")
    message = ": ".join(part for part in (rest or error.what, error.why) if part)
    return Problem(
        file=file if rest else ".",
        line=int(line) if line.isdigit() else None,
        severity=Severity.ERROR,
        message=message,
    )


def _error(file: str, message: str, line: int | None = None) -> Problem:
    return Problem(file=file, line=line, severity=Severity.ERROR, message=message)


def _warning(file: str, message: str, line: int | None = None) -> Problem:
    return Problem(file=file, line=line, severity=Severity.WARNING, message=message)


def _completeness(bundle: Bundle) -> Iterator[Problem]:
    if bundle.plan is None:
        yield _error(layout.PLAN, "missing: what was planned is unknown")
    if bundle.system is None:
        yield _error(layout.SYSTEM, "missing")
    if bundle.manifest is None:
        yield _warning(layout.MANIFEST, "missing: the run was interrupted, or goes on")
    if bundle.torn_bytes:
        yield _warning(layout.RESULTS, "the last line is torn", len(bundle.records) + 1)
    severity = Severity.ERROR if bundle.finished else Severity.WARNING
    for case in bundle.remaining:
        message = f"no record for {case.operator} {case.case.label} on {case.device} ({case.uid})"
        yield Problem(file=layout.RESULTS, severity=severity, message=message)


def _manifest_alone(root: Path) -> Manifest | None:
    """The manifest of a bundle of which something else, or the manifest itself, can't be read."""
    path = root / layout.MANIFEST
    try:
        return parse_document(path.read_bytes(), Manifest, MANIFEST_SCHEMA, str(path))
    except (BundleError, OSError):
        return None


def _integrity(root: Path, manifest: Manifest | None) -> Iterator[Problem]:
    if manifest is None:
        return
    present = hash_files(root)
    for file, digest in manifest.files.items():
        if file not in present:
            yield _error(file, "listed in the manifest and missing")
        elif present[file] != digest:
            yield _error(file, "altered: its sha256 is not the manifest's")
    for file in sorted(present.keys() - manifest.files.keys()):
        yield _warning(file, "not listed in the manifest")


def _agreement(bundle: Bundle) -> Iterator[Problem]:
    manifest, plan = bundle.manifest, bundle.plan
    if manifest is None:
        return
    counts = Counter(record.verdict for record in bundle.records)
    if dict(counts) != {verdict: count for verdict, count in manifest.counts.items() if count}:
        yield _error(layout.MANIFEST, "its counts are not those of the records")
    if plan is None:
        return
    if manifest.planned != len(plan.cases):
        yield _error(
            layout.MANIFEST, f"says {manifest.planned} planned cases; the plan has {len(plan.cases)}"
        )
    for name in ("run", "suite", "seed", "tier", "created"):
        if getattr(manifest, name) != getattr(plan, name):
            yield _error(layout.MANIFEST, f"its {name} is not the plan's")


def _records(bundle: Bundle) -> Iterator[Problem]:
    planned = {case.uid: case for case in bundle.plan.cases} if bundle.plan else {}
    first: dict[str, int] = {}
    for line, record in enumerate(bundle.records, start=1):
        if record.uid in first:
            yield _error(
                layout.RESULTS,
                f"a second record for {record.uid}; the first is on line {first[record.uid]}",
                line,
            )
        first.setdefault(record.uid, line)
        if bundle.plan is not None and record.uid not in planned:
            yield _error(layout.RESULTS, f"{record.uid} was not planned", line)
        found = [*_identity(bundle, record, planned.get(record.uid)), *timing_problems(bundle.path, record)]
        yield from (_error(layout.RESULTS, message, line) for message in found)


def _identity(bundle: Bundle, record: Record, planned: PlannedCase | None) -> Iterator[str]:
    if bundle.plan is not None and record.run != bundle.plan.run:
        yield f"it is of run {record.run}"
    if not (bundle.path / layout.source_path(record.candidate.sha256)).is_file():
        yield f"the source {record.candidate.sha256}.py is missing"
    if planned is None:
        return
    device = device_name(record.backend.name, record.device.index)
    told = (record.operator, record.case, record.candidate, device)
    if told != (planned.operator, planned.case, planned.candidate, planned.device):
        yield f"operator, case, candidate or device of {record.uid} are not the planned ones"
