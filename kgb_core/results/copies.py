"""Copies of one run that came from several bundles, joined: each planned case keeps its latest record.

Joining is a least upper bound: for each planned case the record that is greatest by attempt, time and
content. So order, grouping and repetition of the copies make no difference.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kgb_core.errors import BundleError
from kgb_core.models.plan import PlannedCase
from kgb_core.models.record import Record
from kgb_core.results import layout
from kgb_core.results.files import files_below, sha256_of
from kgb_core.results.lines import complete_bytes
from kgb_core.results.planfile import PlanFile
from kgb_core.results.run import Run


@dataclass(frozen=True)
class Copy:
    """One copy of a run."""

    run: Run
    hashes: dict[str, str]
    """sha256 of its files, a torn last line of `results.jsonl` left out."""

    @property
    def content(self) -> str:
        """Stands for every byte of the copy."""
        listing = "".join(f"{file} {sha}\n" for file, sha in sorted(self.hashes.items()))
        return hashlib.sha256(listing.encode()).hexdigest()


@dataclass(frozen=True, order=True)
class _Rank:
    """By what the better of two records of the same planned case is told."""

    attempt: int
    finished: str
    content: str
    samples: str


@dataclass(frozen=True, slots=True)
class _Best:
    """Where the best record of a planned case stands; the line itself is read again when it is wanted."""

    copy: int
    number: int
    offset: int
    stored: int
    """Stands for the stored bytes of record and samples."""


@dataclass
class Joined:
    """What several copies of one run say together."""

    copies: Sequence[Copy]
    best: dict[str, _Best] = field(default_factory=dict)
    conflicts: set[str] = field(default_factory=set)
    """Planned cases of which two copies have different records."""
    behind: set[int] = field(default_factory=set)
    """Copies that lack something which another one has."""

    def records(self) -> Iterator[tuple[Copy, Record]]:
        """The best record of each planned case with the copy that it is from, in the order of the plan."""
        for case in cases_of(self.copies[0].run):
            if case.uid in self.best:
                best = self.best[case.uid]
                copy = self.copies[best.copy]
                yield copy, copy.run.record_at(best.number, best.offset)

    @property
    def whole(self) -> Copy | None:
        """The copy that has everything; `None` where each lacks something.

        Of several a finished one is taken; a combination of copies only where there is nothing else.
        """
        complete = [copy for index, copy in enumerate(self.copies) if index not in self.behind]
        return max(complete, key=_standing, default=None)


def _standing(copy: Copy) -> tuple[bool, bool, str]:
    return copy.run.finished, layout.COMBINED not in copy.hashes, copy.content


def join(copies: Sequence[Copy]) -> Joined:
    """Join copies of one run.

    Raises:
        BundleError: they are of different plans, or a line is malformed.
    """
    joined = Joined(copies)
    if len({copy.content for copy in copies}) == 1:
        return joined
    _same_plan(copies)
    for index, copy in enumerate(copies):
        _add(joined, index, copy)
    for index, copy in enumerate(copies):
        if _recorded(copy) < len(joined.best) or _system(copy) != max(map(_system, copies)):
            joined.behind.add(index)
    return joined


def _add(joined: Joined, index: int, copy: Copy) -> None:
    for line in copy.run.lines():
        uid = copy.run.head(line).uid
        samples = copy.hashes.get(layout.samples_path(uid), "")
        found = _Best(index, line.number, line.offset, hash((line.content, samples)))
        known = joined.best.setdefault(uid, found)
        if known.copy != index and known.stored != found.stored:
            _compare(joined, uid, known, found)


def _compare(joined: Joined, uid: str, known: _Best, other: _Best) -> None:
    first, second = _rank(joined, known), _rank(joined, other)
    if first == second:
        return  # only stored in different schemas
    joined.conflicts.add(uid)
    if first > second:
        joined.behind.add(other.copy)
        return
    joined.behind.update(range(other.copy))  # all that were seen so far have the lesser record or none
    joined.best[uid] = other


def _rank(joined: Joined, best: _Best) -> _Rank:
    copy = joined.copies[best.copy]
    record = copy.run.record_at(best.number, best.offset)
    samples = copy.hashes.get(layout.samples_path(record.uid), "")
    return _Rank(record.attempt, record.finished, record.model_dump_json(), samples)


def _recorded(copy: Copy) -> int:
    return len({copy.run.head(line).uid for line in copy.run.lines()})


def _system(copy: Copy) -> str:
    return copy.run.system.model_dump_json() if copy.run.system else ""


def _same_plan(copies: Sequence[Copy]) -> None:
    first = copies[0]
    for other in copies[1:]:
        if other.hashes.get(layout.PLAN) == first.hashes.get(layout.PLAN):
            continue
        one, two = _plan(first), _plan(other)
        same = one.header == two.header and list(one.cases()) == list(two.cases())
        if not same:
            raise BundleError(
                f"two different plans of run {first.run.id}",
                f"in {first.run.path} and in {other.run.path}",
                "one of them was altered; merge without it",
            )


def _plan(copy: Copy) -> PlanFile:
    planned = copy.run.planned()
    if planned is None:
        raise BundleError(
            f"{copy.run.path} can't be merged", "its plan is missing: what it set out to do is unknown"
        )
    return planned


def cases_of(run: Run) -> Iterator[PlannedCase]:
    """The planned cases of a run; none without a plan."""
    planned = run.planned()
    return planned.cases() if planned else iter(())


def copy_of(run: Run) -> Copy:
    """A run with the hashes of what belongs to it: as its manifest says, else as they are found.

    Raises:
        BundleError: a file that the manifest lists is missing.
    """
    files = files_below(run.path)
    if run.manifest is None:
        return Copy(run, _hashed(run, [name for name in files if not any(map(_hidden, name.split("/")))]))
    for inside in run.manifest.files:
        if inside not in files:
            raise altered(run, inside, "listed in the manifest and missing")
    own = [name for name in (layout.MANIFEST, layout.SIGNATURE) if name in files]
    return Copy(run, {**run.manifest.files, **_hashed(run, own)})


def verify(copy: Copy) -> None:
    """Compare the files of a copy with its hashes.

    Raises:
        BundleError: one is not what the manifest says.
    """
    for inside, sha in _hashed(copy.run, copy.hashes).items():
        if sha != copy.hashes[inside]:
            raise altered(copy.run, inside)


def altered(run: Run, inside: str, how: str = "altered: its sha256 is not the manifest's") -> BundleError:
    """The error for a bundle that is no longer what it was when it was closed."""
    return BundleError(
        f"{run.path}/{inside}: {how}",
        "a bundle that was changed since it was closed is neither merged nor rejudged",
        f"kgb check {run.path} tells everything that is wrong with it",
    )


def length_of(run: Run, inside: str) -> int | None:
    """How much of a file belongs to the run: of the results no torn last line; `None` is all."""
    return complete_bytes(run.results) if inside == layout.RESULTS and not run.finished else None


def _hashed(run: Run, names: Iterable[str]) -> dict[str, str]:
    return {name: sha256_of(os.path.join(run.path, name), length_of(run, name)) for name in names}


def _hidden(name: str) -> bool:
    return name.startswith(".")
