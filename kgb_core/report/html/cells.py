"""The matrix: each operator on each chip, over the candidates of one pack or of all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kgb_core.models.verdict import Verdict
from kgb_core.report.html.model import Cell
from kgb_core.report.html.short import short_or_none
from kgb_core.scores.row import Row

ALL = -1
"""All packs together."""


@dataclass(frozen=True)
class Placed:
    """A row with its place on the page.

    Attributes:
        row: what the summary says.
        operator: its number.
        chip: its number.
        pack: its number.
    """

    row: Row
    operator: int
    chip: int
    pack: int


def cells_of(placed: Sequence[Placed], packs: int) -> Iterator[Cell]:
    """The cells for all packs together, and for each where there are several.

    Args:
        placed: every row.
        packs: how many there are.
    """
    yield from _cells(placed, ALL)
    for pack in range(packs if packs > 1 else 0):
        yield from _cells([each for each in placed if each.pack == pack], pack)


def _cells(placed: Iterable[Placed], pack: int) -> Iterator[Cell]:
    groups: dict[str, list[Placed]] = defaultdict(list)
    for each in placed:
        groups[f"{each.operator} {each.chip}"].append(each)
    for group in groups.values():
        rows = [each.row for each in group]
        yield Cell(
            operator=group[0].operator,
            chip=group[0].chip,
            pack=pack,
            verdict=_best(rows),
            verdicts=tuple(sorted({found.verdict for row in rows for found in row.verdicts})),
            right=sum(row.right for row in rows),
            judged=sum(row.decided for row in rows),
            missing=sum(row.missing for row in rows),
            speedup=short_or_none(_fastest(rows)),
        )


def _best(rows: Sequence[Row]) -> Verdict | None:
    """Passed if any is right; else what most of those that failed have as their worst; else what is known.

    A kernel of which cases are missing and none has failed is not decided: it has no verdict yet.
    """
    if any(row.right for row in rows):
        return Verdict.PASSED
    failed = Counter(row.verdict for row in rows if row.failed)
    others = Counter(row.verdict for row in rows if row.verdict is not Verdict.PASSED)
    return next((found for counter in (failed, others) for found, _ in counter.most_common(1)), None)


def _fastest(rows: Iterable[Row]) -> float | None:
    return max((row.speedup.value for row in rows if row.right and row.speedup), default=None)
