"""Merging bundles: the union of their runs, the same whatever the order, and never half written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.plan import PlanHeader
from kgb_core.results import layout
from kgb_core.results.combine import write_combined
from kgb_core.results.copies import Copy, Joined, altered, copy_of, join, length_of, verify
from kgb_core.results.files import copy_hashed, files_below, sha256_of, staged, write_whole
from kgb_core.results.merged import Merged, MergedRun
from kgb_core.results.query import Difference, Results, runs_of
from kgb_core.results.run import Run
from kgb_core.results.upgrade import UPGRADES, Upgrades


class RunReport(FrozenModel):
    """What became of one run."""

    run: MergedRun
    copies: int
    """Bundles that had it."""
    combined: bool
    """No copy had everything, so records of several were put together."""
    conflicts: int
    """Planned cases of which two copies had different records; the later one was kept."""


class MergeReport(FrozenModel):
    """What a merge did."""

    runs: tuple[RunReport, ...]
    apart: tuple[Difference, ...]
    """In what the runs differ, so that they are kept apart."""


def merge_bundles(paths: Sequence[Path], out: Path, upgrades: Upgrades = UPGRADES) -> MergeReport:
    """Write a bundle that holds every run of several.

    Each run stays a bundle of its own, byte for byte, in `runs/<run>`. Where several bundles have the same
    run, the copy that has everything is kept; else their records are put together, of each case the later.

    Args:
        paths: of the bundles, merged ones among them.
        out: a directory that is empty or does not exist; it appears when everything is written.
        upgrades: steps from older schemas.

    Raises:
        BundleError: a bundle is damaged or was altered since it was closed, two runs of the same id have
            different plans, or `out` is there already.
    """
    copies = [copy for path in paths for copy in _copies(path, upgrades)]
    names = sorted({copy.run.id for copy in copies})
    with staged(out) as stage:
        (stage / layout.RUNS).mkdir()
        joined = [_merge_run([copy for copy in copies if copy.run.id == name], stage) for name in names]
        merged = seal(stage, {inside: sha for each in joined for inside, sha in each.files.items()}, upgrades)
        runs = Results(tuple(runs_of(stage, upgrades)))
    told = [_told(run, each.joined) for run, each in zip(merged.runs, joined, strict=True)]
    return MergeReport(runs=tuple(told), apart=runs.differences())


def _told(run: MergedRun, joined: Joined) -> RunReport:
    return RunReport(
        run=run, copies=len(joined.copies), combined=joined.whole is None, conflicts=len(joined.conflicts)
    )


def seal(root: Path, files: Mapping[str, str], upgrades: Upgrades = UPGRADES) -> Merged:
    """Write the manifest of a merged bundle whose runs are all in place.

    Args:
        root: its directory.
        files: sha256 of every file, by its path inside.
        upgrades: steps from older schemas.
    """
    runs = sorted((merged_run(run) for run in runs_of(root, upgrades)), key=lambda run: run.run)
    manifest = Merged(runs=tuple(runs), files=dict(sorted(files.items())))
    write_whole(root / layout.MANIFEST, manifest.model_dump_json())
    return manifest


def merged_run(run: Run) -> MergedRun:
    """What the manifest of a merged bundle says of one run.

    Raises:
        BundleError: its plan is missing, or the run's id can't be the name of a directory.
    """
    plan, manifest = _plan_of(run), run.manifest
    return MergedRun(
        run=plan.run,
        suite=plan.suite,
        seed=plan.seed,
        tier=plan.tier,
        core=manifest.core if manifest else None,
        planned=manifest.planned if manifest else len(run.planned() or ()),
        records=sum(1 for _ in run.lines()),
        finished=run.finished,
        synthetic=run.synthetic,
        rejudged=manifest is not None and manifest.rejudged is not None,
    )


def _plan_of(run: Run) -> PlanHeader:
    if run.plan is None:
        raise BundleError(
            f"{run.path} can't be merged", "its plan is missing: what it set out to do is unknown"
        )
    return run.plan


def _copies(path: Path, upgrades: Upgrades) -> Iterator[Copy]:
    for run in runs_of(path, upgrades):
        if not layout.is_file_name(_plan_of(run).run):
            raise BundleError(f"{run.path} can't be merged", f"{run.id!r} is no name for a run")
        for line in run.lines():
            run.head(line)
        yield copy_of(run)


@dataclass(frozen=True)
class _Done:
    """A run that is in its place."""

    joined: Joined
    files: dict[str, str]
    """sha256 of its files, by their path in the merged bundle."""


def _merge_run(copies: Sequence[Copy], stage: Path) -> _Done:
    if len(copies) > 1:
        for copy in copies:
            verify(copy)
    joined = join(copies)
    inside = f"{layout.RUNS}/{copies[0].run.id}"
    target = stage / inside
    target.mkdir()
    whole = joined.whole
    if whole is None:
        write_combined(joined, target)
    files = (
        _copied(whole, target)
        if whole
        else {name: sha256_of(path) for name, path in files_below(target).items()}
    )
    return _Done(joined, {f"{inside}/{name}": sha for name, sha in files.items()})


def _copied(copy: Copy, target: Path) -> dict[str, str]:
    for folder in {os.path.dirname(inside) for inside in copy.hashes}:
        (target / folder).mkdir(parents=True, exist_ok=True)
    for inside, sha in copy.hashes.items():
        source, length = os.path.join(copy.run.path, inside), length_of(copy.run, inside)
        if copy_hashed(source, os.path.join(target, inside), length) != sha:
            raise altered(copy.run, inside)
    return copy.hashes
