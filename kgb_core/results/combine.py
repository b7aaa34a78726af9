"""Writing a run whose records come from several copies of it, none of which had them all."""

from __future__ import annotations

from pathlib import Path

from kgb_core.models.record import Record
from kgb_core.results import layout
from kgb_core.results.copies import Copy, Joined, cases_of
from kgb_core.results.files import copy_hashed, write_whole
from kgb_core.results.planfile import write_plan

_MARK = '{"schema":"kgb.combined/1"}\n'


def write_combined(joined: Joined, target: Path) -> None:
    """Write what the copies say together: a function of that alone, not of which copy said what.

    It has no manifest and no log: no run ended with these records.

    Args:
        joined: the copies.
        target: an empty directory.
    """
    first = joined.copies[0].run
    assert first.plan is not None
    encoded = (case.model_dump_json().encode() for case in cases_of(first))
    write_plan(target / layout.PLAN, first.plan, encoded)
    systems = [copy.run.system.model_dump_json() for copy in joined.copies if copy.run.system]
    if systems:
        write_whole(target / layout.SYSTEM, max(systems))
    with (target / layout.RESULTS).open("w", encoding="utf-8", newline="\n") as stream:
        for copy, record in joined.records():
            stream.write(record.model_dump_json() + "\n")
            _copy_samples(copy, record, target)
    for sha256 in {case.candidate.sha256 for case in cases_of(first)}:
        _copy_source(joined, sha256, target)
    write_whole(target / layout.COMBINED, _MARK)


def _copy_samples(copy: Copy, record: Record, target: Path) -> None:
    inside = layout.samples_path(record.uid)
    if inside in copy.hashes:
        (target / layout.SAMPLES).mkdir(exist_ok=True)
        copy_hashed(copy.run.path / inside, target / inside)


def _copy_source(joined: Joined, sha256: str, target: Path) -> None:
    inside = layout.source_path(sha256)
    (target / layout.KERNELS).mkdir(exist_ok=True)
    for copy in joined.copies:
        if copy.hashes.get(inside) == sha256:
            copy_hashed(copy.run.path / inside, target / inside)
            return
