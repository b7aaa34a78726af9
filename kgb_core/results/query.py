"""The one way to read results: every run of one bundle or of several, as a stream, whole or by groups.

    results = open_results(Path("merged"))
    for record in results.records(): ...
    for group in results.groups(By.OPERATOR, By.DEVICE):
        passed = sum(record.verdict is Verdict.PASSED for record in group.records())

A bundle of one run and a merged one are read alike. Records come as `Record`, upgraded from older schemas.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import MappingProxyType

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.conformance import ConformanceRef
from kgb_core.models.record import Record
from kgb_core.results import layout
from kgb_core.results.documents import read_document
from kgb_core.results.heads import Head
from kgb_core.results.lines import Line
from kgb_core.results.merged import MERGED_SCHEMA, Merged
from kgb_core.results.run import Run, is_merged, open_run, require_bundle
from kgb_core.results.upgrade import UPGRADES, Upgrades


class By(str, Enum):
    """What records can be grouped by."""

    RUN = "run"
    BACKEND = "backend"
    DEVICE = "device"
    """`vendor:index`."""
    DEVICE_NAME = "device_name"
    """What the vendor calls the model: equal on every host that has one."""
    OPERATOR = "operator"
    PACK = "pack"
    CANDIDATE = "candidate"
    """The sample's name in its pack."""
    SOURCE = "source"
    """sha256 of the candidate's source."""
    CASE = "case"
    """Id of the case: equal on every machine."""
    PURPOSE = "purpose"
    VERDICT = "verdict"

    def of(self, head: Head) -> str:
        """The value for one record."""
        return _READERS[self](head)


_READERS: Mapping[By, Callable[[Head], str]] = MappingProxyType(
    {
        By.RUN: lambda head: head.run,
        By.BACKEND: lambda head: head.backend.name,
        By.DEVICE: lambda head: head.device_name,
        By.DEVICE_NAME: lambda head: head.device.name,
        By.OPERATOR: lambda head: head.operator,
        By.PACK: lambda head: head.candidate.pack,
        By.CANDIDATE: lambda head: head.candidate.name,
        By.SOURCE: lambda head: head.candidate.sha256,
        By.CASE: lambda head: head.case.id,
        By.PURPOSE: lambda head: head.case.purpose,
        By.VERDICT: lambda head: head.verdict.value,
    }
)


@dataclass(frozen=True)
class _Place:
    """Where some records of a run stand in its file."""

    run: Run
    numbers: array[int]
    offsets: array[int]

    def records(self) -> Iterator[Record]:
        with self.run.results.open("rb") as stream:
            for number, offset in zip(self.numbers, self.offsets, strict=True):
                stream.seek(offset)
                yield self.run.record(Line(number, offset, stream.readline()[:-1]))


@dataclass(frozen=True)
class Group:
    """Records with the same values; only their places are held."""

    key: Mapping[By, str]
    """The values, in the order asked for."""
    places: tuple[_Place, ...]

    def __len__(self) -> int:
        return sum(len(place.offsets) for place in self.places)

    def records(self) -> Iterator[Record]:
        """The records, run by run, in the order written.

        Raises:
            BundleError: a line is malformed, naming file and line.
        """
        for place in self.places:
            yield from place.records()


class Difference(FrozenModel):
    """Something in which runs differ, so that their results must not be pooled."""

    what: str
    """`suite`, `seed` or `core`."""
    values: dict[str, tuple[str, ...]]
    """The runs of each value."""


@dataclass(frozen=True)
class Results:
    """Every run of one bundle or of several."""

    runs: tuple[Run, ...]
    """In the order of the bundles given; those of a merged bundle sorted by id."""

    def run(self, name: str) -> Run:
        """The run of that id, as in `Record.run`.

        Raises:
            KeyError: it is none of these.
        """
        return {run.id: run for run in self.runs}[name]

    def records(self, operator: str | None = None) -> Iterator[Record]:
        """Every record, run by run, in the order written.

        Args:
            operator: only those of this operator.

        Raises:
            BundleError: a line is malformed, naming file and line.
        """
        for run in self.runs:
            yield from run.records(operator)

    def heads(self) -> Iterator[Head]:
        """The heads of the records, several times as fast as the records."""
        return (run.head(line) for run in self.runs for line in run.lines())

    def groups(self, *by: By) -> list[Group]:
        """The records by the values of some fields, sorted by these.

        Memory grows with sixteen bytes a record.

        Args:
            by: at least one field.
        """
        found: dict[tuple[str, ...], dict[int, _Place]] = {}
        for index, run in enumerate(self.runs):
            for line in run.lines():
                head = run.head(line)
                places = found.setdefault(tuple(field.of(head) for field in by), {})
                place = places.setdefault(index, _Place(run, array("Q"), array("Q")))
                place.numbers.append(line.number)
                place.offsets.append(line.offset)
        return [
            Group(dict(zip(by, key, strict=True)), tuple(places.values()))
            for key, places in sorted(found.items())
        ]

    def source(self, sha256: str) -> str | None:
        """The source of a candidate, from whichever run has it."""
        return next((source for run in self.runs if (source := run.source(sha256)) is not None), None)

    @property
    def conformance(self) -> tuple[ConformanceRef, ...]:
        """What the runs say of the conformance of the backends that they used."""
        return tuple(told for run in self.runs if run.manifest for told in run.manifest.conformance)

    @property
    def synthetic(self) -> bool:
        """True where a program made records of any run up."""
        return any(run.synthetic for run in self.runs)

    def differences(self) -> tuple[Difference, ...]:
        """In what the runs differ that would make pooled numbers wrong: suite, seed or core."""
        told = [(run.id, _told(run)) for run in self.runs]
        found = []
        for what in ("suite", "seed", "core"):
            values: dict[str, tuple[str, ...]] = {}
            for name, fields in told:
                values[fields[what]] = (*values.get(fields[what], ()), name)
            if len(values) > 1:
                found.append(Difference(what=what, values=values))
        return tuple(found)


def _told(run: Run) -> dict[str, str]:
    return {
        "suite": run.plan.suite.label if run.plan else "unknown",
        "seed": str(run.plan.seed) if run.plan else "unknown",
        "core": run.manifest.core if run.manifest else "unknown",
    }


def open_results(*paths: Path | str, upgrades: Upgrades = UPGRADES) -> Results:
    """Open bundles for reading.

    Args:
        paths: of bundles, merged or not.
        upgrades: steps from older schemas.

    Raises:
        BundleError: one is no bundle or is malformed, or two hold the same run.
    """
    runs = tuple(run for path in paths for run in runs_of(Path(path), upgrades))
    first: dict[str, Run] = {}
    for run in runs:
        if run.id in first:
            raise BundleError(
                f"run {run.id} is there twice",
                f"in {first[run.id].path} and in {run.path}",
                "kgb merge makes one bundle of them",
            )
        first[run.id] = run
    return Results(runs)


def runs_of(path: Path, upgrades: Upgrades = UPGRADES) -> Iterator[Run]:
    """The runs of one bundle.

    Raises:
        BundleError: it is no bundle, or is malformed.
    """
    require_bundle(path)
    if not is_merged(path):
        yield open_run(path, upgrades)
        return
    for directory in sorted(child for child in (path / layout.RUNS).iterdir() if child.is_dir()):
        yield open_run(directory, upgrades)


def read_merged(path: Path, upgrades: Upgrades = UPGRADES) -> Merged | None:
    """The manifest of a merged bundle; `None` where it is missing.

    Raises:
        BundleError: it is malformed.
    """
    return read_document(path / layout.MANIFEST, Merged, MERGED_SCHEMA, upgrades)
