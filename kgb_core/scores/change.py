"""Whether one set of times is better than another, by more than noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Interval
from kgb_core.scores.resample import RESAMPLES, SEED, mean_interval

FALSE_DISCOVERIES = 0.05
"""Of all changes that are called real, the share that may be noise."""


class Change(FrozenModel):
    """One time against another, from raw samples."""

    ratio: float
    """Median after over median before: above 1 is slower."""
    interval: Interval
    """95 %, of that ratio, by drawing both sides anew."""
    p_value: float
    """How likely samples as far apart are where nothing changed: Mann-Whitney, two-sided."""


class MeanChange(FrozenModel):
    """The same over several cases: their ratios' geometric mean."""

    ratio: float | None
    interval: Interval | None
    """95 %, over cases drawn anew in pairs; `None` for fewer than two."""
    cases: int

    @property
    def real(self) -> bool:
        """True where the interval leaves out 1."""
        return self.interval is not None and not self.interval.low <= 1.0 <= self.interval.high


def change_of(before: Sequence[int], after: Sequence[int]) -> Change:
    """Compare two sets of samples of one case.

    Samples of 100, 101 and 102 ns before, and of 110, 111 and 112 ns after, have a ratio of 1.099 and, being
    so few, p = 0.1. Samples are taken as independent, which neighbours in time are not quite: treat a p-value
    near the limit as none.

    Args:
        before: nanoseconds, in any order.
        after: likewise.

    Raises:
        ValueError: a side has no sample, or one that is not above zero.
    """
    if not before or not after or min(*before, *after) <= 0:
        raise ValueError("both sides need samples, all above zero")
    from scipy.stats import mannwhitneyu

    one, other = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    return Change(
        ratio=float(np.median(other) / np.median(one)),
        interval=_ratio_interval(one, other),
        p_value=float(mannwhitneyu(one, other, alternative="two-sided").pvalue),
    )


def real_changes(changes: Sequence[Change], rate: float = FALSE_DISCOVERIES) -> list[bool]:
    """Which of many changes are more than noise, though many were looked at (Benjamini and Hochberg, 1995).

    Of p-values 0.001, 0.02, 0.04 and 0.5 at a rate of 0.05, the first two remain.

    Args:
        changes: all that were looked at, those that look like none as well.
        rate: of false ones among those called real.
    """
    if not changes:
        return []
    from scipy.stats import false_discovery_control

    adjusted = false_discovery_control([change.p_value for change in changes])
    return [bool(value <= rate) for value in adjusted]


def mean_change(ratios: Sequence[float]) -> MeanChange:
    """The geometric mean of the ratios of paired cases.

    Of ratios 1.1, 1.2 and 0.9 it is 1.059.

    Raises:
        ValueError: a ratio is not above zero.
    """
    logs = [math.log(ratio) for ratio in ratios]
    interval = mean_interval(logs)
    return MeanChange(
        ratio=math.exp(math.fsum(logs) / len(logs)) if logs else None,
        interval=Interval(low=math.exp(interval.low), high=math.exp(interval.high)) if interval else None,
        cases=len(logs),
    )


def _ratio_interval(before: np.ndarray, after: np.ndarray) -> Interval:
    generator = np.random.default_rng(SEED)
    medians = [
        np.median(generator.choice(side, size=(RESAMPLES, side.size)), axis=1) for side in (before, after)
    ]
    low, high = np.quantile(medians[1] / medians[0], (0.025, 0.975))
    return Interval(low=float(low), high=float(high))
