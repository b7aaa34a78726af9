"""A share of a total with its uncertainty."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Interval


class Proportion(FrozenModel):
    """So many of so many, with the Wilson score interval at 95 %; the shares are between 0 and 1."""

    count: int
    total: int
    share: float | None
    """`None` of nothing."""
    interval: Interval | None


def proportion(count: int, total: int) -> Proportion:
    """The share of `count` in `total`.

    Wilson's interval keeps its coverage for the small totals and the shares near 1 that suites give, where
    the textbook interval collapses (E. B. Wilson, JASA 22, 1927; as in scipy's `proportion_ci`).
    """
    if total == 0:
        return Proportion(count=0, total=0, share=None, interval=None)
    from scipy.stats import binomtest

    found = binomtest(count, total).proportion_ci(confidence_level=0.95, method="wilson")
    interval = Interval(low=float(found.low), high=float(found.high))
    return Proportion(count=count, total=total, share=count / total, interval=interval)
