"""The taxonomy of failures: the verdicts given on a chip, and of how many kernels each was the worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kgb_core.models.base import FrozenModel
from kgb_core.models.verdict import Family, Verdict
from kgb_core.scores.row import Row


class Taxon(FrozenModel):
    """One verdict."""

    verdict: Verdict
    family: Family
    cases: int
    kernels: int
    """Kernels of which it is the worst verdict; a kernel counts once."""


def taxonomy_of(rows: Iterable[Row]) -> tuple[Taxon, ...]:
    """The verdicts of some rows, `passed` too, the most frequent worst verdict first.

    A kernel with 40 cases passed and 2 wrong counts as one `wrong_value` kernel, with 2 such cases.
    The kernels add up to those of which a case was judged.

    Args:
        rows: of one chip.
    """
    cases: Counter[Verdict] = Counter()
    kernels: Counter[Verdict] = Counter()
    for row in rows:
        for found in row.verdicts:
            cases[found.verdict] += found.count
        if row.verdict is not None:
            kernels[row.verdict] += 1
    ordered = sorted(cases, key=lambda each: (-kernels[each], -cases[each], each.value))
    return tuple(
        Taxon(verdict=each, family=each.family, cases=cases[each], kernels=kernels[each]) for each in ordered
    )
