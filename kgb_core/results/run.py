"""One run of a bundle, read as a stream: nothing here grows with the number of records."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kgb_core.errors import BundleError
from kgb_core.models.manifest import MANIFEST_SCHEMA, SYSTEM_SCHEMA, Manifest, System
from kgb_core.models.plan import PlanHeader, PlannedCase
from kgb_core.models.record import RECORD_SCHEMA, Record
from kgb_core.results import layout
from kgb_core.results.documents import parse_document, read_document
from kgb_core.results.heads import Head, head_of
from kgb_core.results.lines import Line, stream_lines
from kgb_core.results.planfile import PlanFile, read_plan
from kgb_core.results.samples import SAMPLES_SCHEMA, SamplePair
from kgb_core.results.upgrade import UPGRADES, Upgrades


@dataclass(frozen=True)
class Run:
    """One run: finished, interrupted, or still being written.

    Whatever a crash kept from being written is `None`.
    """

    path: Path
    """The directory with its files: a bundle, or one run of a merged bundle."""
    plan: PlanHeader | None
    system: System | None
    manifest: Manifest | None
    upgrades: Upgrades = field(repr=False)
    """Steps from older schemas."""

    @property
    def id(self) -> str:
        """The id of the run; the directory's name where neither plan nor manifest tells."""
        told = self.plan or self.manifest
        return told.run if told else self.path.name

    @property
    def finished(self) -> bool:
        """False where the run was interrupted or goes on."""
        return self.manifest is not None

    @property
    def synthetic(self) -> bool:
        """True where a program made the records up."""
        return self.manifest is not None and self.manifest.synthetic

    def records(self, operator: str | None = None) -> Iterator[Record]:
        """The records, in the order written.

        Args:
            operator: only those of this operator; the others are skipped without being validated.

        Raises:
            BundleError: a line is malformed, naming file and line. A torn last line is no error.
        """
        for line in self.lines():
            if operator is None or self.head(line).operator == operator:
                yield self.record(line)

    def lines(self) -> Iterator[Line]:
        """The complete lines of `results.jsonl`."""
        return stream_lines(self.results)

    def record(self, line: Line) -> Record:
        """A line as a record.

        Raises:
            BundleError: it is malformed.
        """
        return parse_document(line.content, Record, RECORD_SCHEMA, self.place(line), self.upgrades)

    def record_at(self, number: int, offset: int) -> Record:
        """The record on one line, whose first byte is at an offset.

        Raises:
            BundleError: it is malformed.
        """
        with self.results.open("rb") as stream:
            stream.seek(offset)
            return self.record(Line(number, offset, stream.readline()[:-1]))

    def head(self, line: Line) -> Head:
        """The head of the record on a line, several times as fast.

        Raises:
            BundleError: it is malformed.
        """
        return head_of(line.content, self.place(line), self.upgrades)

    def place(self, line: Line) -> str:
        """File and number of a line."""
        return f"{self._results_name}:{line.number}"

    @cached_property
    def results(self) -> Path:
        """The file of records."""
        return self.path / layout.RESULTS

    @cached_property
    def _results_name(self) -> str:
        return str(self.results)

    def planned(self) -> PlanFile | None:
        """The plan with its cases; read anew each time, since it may be large.

        Raises:
            BundleError: it is malformed.
        """
        return read_plan(self.path / layout.PLAN, self.upgrades)

    def remaining(self, recorded: Collection[str]) -> Iterator[PlannedCase]:
        """Planned cases that are not among the recorded, in the order of the plan.

        Args:
            recorded: uids; looked at when the iteration begins, so they may be collected until then.
        """
        planned = self.planned()
        if planned is not None:
            yield from planned.remaining(recorded)

    def source(self, sha256: str) -> str | None:
        """The source of a candidate; `None` where the bundle lacks it."""
        path = self.path / layout.source_path(sha256)
        return path.read_text(encoding="utf-8") if sha256.isalnum() and path.is_file() else None

    def samples(self, record: Record) -> SamplePair | None:
        """The raw times of a record; `None` where it was not timed or they are missing.

        Raises:
            BundleError: the file is malformed.
        """
        if record.timing is None or record.timing.samples != layout.samples_path(record.uid):
            return None
        path = self.path / layout.samples_path(record.uid)
        return read_document(path, SamplePair, SAMPLES_SCHEMA, self.upgrades)


def open_run(path: Path, upgrades: Upgrades = UPGRADES) -> Run:
    """Open the bundle of one run. Its records are read when they are asked for.

    Raises:
        BundleError: nothing is there, a document is malformed (naming the file) or newer than this kgb-core,
            or it is a merged bundle.
    """
    require_bundle(path)
    if is_merged(path):
        raise BundleError(
            f"{path} holds several runs", f"they lie in {path / layout.RUNS}", "open_results reads them all"
        )
    planned = read_plan(path / layout.PLAN, upgrades)
    return Run(
        path=path,
        plan=planned.header if planned else None,
        system=read_document(path / layout.SYSTEM, System, SYSTEM_SCHEMA, upgrades),
        manifest=read_document(path / layout.MANIFEST, Manifest, MANIFEST_SCHEMA, upgrades),
        upgrades=upgrades,
    )


def is_merged(path: Path) -> bool:
    """True for a bundle of several runs."""
    return (path / layout.RUNS).is_dir() and not (path / layout.RESULTS).exists()


def require_bundle(root: Path) -> Path:
    """The same path, if a bundle is there.

    Raises:
        BundleError: it holds none of a bundle's files.
    """
    files = (layout.PLAN, layout.RESULTS, layout.MANIFEST)
    if not any((root / name).is_file() for name in files) and not is_merged(root):
        raise BundleError(
            f"{root} is no bundle", _why_not(root), "a bundle is the directory that kgb run wrote"
        )
    return root


def _why_not(root: Path) -> str:
    if not root.exists():
        return "there is nothing"
    return "it holds no plan, results or manifest" if root.is_dir() else "it is a file"
