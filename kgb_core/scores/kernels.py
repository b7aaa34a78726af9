"""What became of each kernel between two runs: right before and wrong now, or the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from kgb_core.models.base import FrozenModel
from kgb_core.models.verdict import Verdict
from kgb_core.scores.row import Row


class Fate(str, Enum):
    """What became of a kernel."""

    WORSE = "worse"
    """Right before, wrong now."""
    BETTER = "better"
    """Wrong before, right now."""
    OTHER = "other"
    """Wrong before and now, with another worst verdict."""
    UNDECIDED = "undecided"
    """One of the runs does not decide it."""
    GONE = "gone"
    """Only in the run before."""
    NEW = "new"
    """Only in the run after."""
    SAME = "same"


class KernelChange(FrozenModel):
    """One kernel on one device, before and after."""

    operator: str
    candidate: str
    pack: str
    device: str
    fate: Fate
    before: Verdict | None
    """The worst verdict; `None` where it was not judged."""
    after: Verdict | None
    right_before: bool
    right_after: bool
    message: str
    """Of the worst verdict after."""
    same_source: bool
    """The text of the kernel did not change."""


def kernel_key(operator: str, candidate: str, pack: str, packed: bool) -> str:
    """What a kernel is recognised by, though its source may have changed.

    Args:
        operator: its operator.
        candidate: its name in the pack.
        pack: the pack's name.
        packed: whether that counts.
    """
    return "\0".join((operator, candidate, pack if packed else ""))


def rows_by_kernel(rows: Iterable[Row], packed: bool) -> dict[str, Row]:
    """The rows of one device by what is the same before and after."""
    return {kernel_key(row.operator, row.candidate.name, row.candidate.pack, packed): row for row in rows}


def kernel_changes(before: Mapping[str, Row], after: Mapping[str, Row]) -> Iterator[KernelChange]:
    """What became of every kernel of one device, in the order of the names.

    Args:
        before: from `rows_by_kernel`.
        after: likewise.
    """
    for key in sorted({*before, *after}):
        yield _change(before.get(key), after.get(key))


def _change(before: Row | None, after: Row | None) -> KernelChange:
    row = after or before
    assert row is not None, "the key is of one of them"
    return KernelChange(
        operator=row.operator,
        candidate=row.candidate.name,
        pack=row.candidate.pack,
        device=row.device,
        fate=_fate(before, after),
        before=before.verdict if before else None,
        after=after.verdict if after else None,
        right_before=before is not None and before.right,
        right_after=after is not None and after.right,
        message=_message(after),
        same_source=before is not None
        and after is not None
        and before.candidate.sha256 == after.candidate.sha256,
    )


def _fate(before: Row | None, after: Row | None) -> Fate:
    if before is None or after is None:
        return Fate.NEW if before is None else Fate.GONE
    if not before.decided or not after.decided:
        return Fate.UNDECIDED if before.decided != after.decided else Fate.SAME
    if before.right != after.right:
        return Fate.BETTER if after.right else Fate.WORSE
    return Fate.SAME if before.verdict == after.verdict else Fate.OTHER


def _message(row: Row | None) -> str:
    if row is None or not row.failed:
        return ""
    return next(
        (f"{found.case}: {found.message}" for found in row.verdicts if found.verdict is row.verdict), ""
    )
