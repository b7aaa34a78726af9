"""Checking a bundle that came from somewhere else: is it whole, unaltered, complete and plausible?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kgb_core.errors import BundleError
from kgb_core.results import layout
from kgb_core.results.check_run import RunCheck, against_hashes
from kgb_core.results.files import hash_files
from kgb_core.results.merge import merged_run
from kgb_core.results.merged import Merged
from kgb_core.results.problems import Problem, Severity, error, unreadable, warning
from kgb_core.results.query import read_merged
from kgb_core.results.run import is_merged, open_run, require_bundle

__all__ = ["Problem", "Severity", "check_bundle"]


def check_bundle(path: Path | str, strict: bool = False) -> list[Problem]:
    """Check a bundle, merged or of one run.

    Args:
        path: its directory.
        strict: an interrupted run is an error, too: every planned case must have its record, and the manifest
            must be there.

    Returns:
        Every problem found. Without errors and warnings the bundle may be merged and published; a note says
        what its users must know, and is none.

    Raises:
        BundleError: there is no bundle.
    """
    root = require_bundle(Path(path))
    hashes = hash_files(root)
    found = _merged(root, hashes) if is_merged(root) else RunCheck(root, hashes).problems()
    return [problem.strictly() if strict else problem for problem in found]


def _merged(root: Path, hashes: Mapping[str, str]) -> Iterator[Problem]:
    try:
        merged = read_merged(root)
    except BundleError as found:
        yield unreadable(str(root), found)
        merged = None
    else:
        if merged is None:
            yield warning(layout.MANIFEST, "missing: the merge was interrupted")
    if merged is not None:
        yield from against_hashes(merged.files, hashes)
        yield from _runs(root, merged)
    for directory in sorted(child for child in (root / layout.RUNS).iterdir() if child.is_dir()):
        inside = directory.relative_to(root).as_posix()
        yield from (
            problem.below(inside) for problem in RunCheck(directory, _below(hashes, inside)).problems()
        )


def _below(hashes: Mapping[str, str], directory: str) -> dict[str, str]:
    """The hashes of one run's files, by their path in it."""
    prefix = f"{directory}/"
    inside = {file.removeprefix(prefix): sha for file, sha in hashes.items() if file.startswith(prefix)}
    return {file: sha for file, sha in inside.items() if file not in layout.UNLISTED}


def _runs(root: Path, merged: Merged) -> Iterator[Problem]:
    """Whether the manifest of a merged bundle says of its runs what is in them."""
    listed = {run.run: run for run in merged.runs}
    present = {child.name for child in (root / layout.RUNS).iterdir() if child.is_dir()}
    for name in sorted(listed.keys() ^ present):
        known = "listed in the manifest and missing" if name in listed else "not listed in the manifest"
        yield error(f"{layout.RUNS}/{name}", known)
    for name in sorted(listed.keys() & present):
        try:
            told = merged_run(open_run(root / layout.RUNS / name))
        except BundleError:
            continue  # what is wrong with it is said where the run is checked
        if told != listed[name]:
            yield error(layout.MANIFEST, f"what it says of {name} is not what that run says")
