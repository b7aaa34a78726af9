"""Intervals by drawing the same things anew: for means of which no distribution is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kgb_core.models.timing import Interval

RESAMPLES = 4000
SEED = 20_261_201
"""Fixed: the same bundle gives the same report."""


def mean_interval(values: Sequence[float]) -> Interval | None:
    """The 95 % interval of a mean.

    The bias-corrected and accelerated bootstrap (B. Efron, JASA 82, 1987, as in scipy). It asks what the mean
    would be over other problems of the same kind; the error of each value is not in it.

    Args:
        values: one a problem.

    Returns:
        `None` for fewer than two values.
    """
    if len(values) < 2:
        return None
    if max(values) == min(values):
        return Interval(low=values[0], high=values[0])
    from scipy.stats import bootstrap

    found = bootstrap(
        (np.asarray(values, dtype=np.float64),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=0.95,
        method="BCa",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    low, high = float(found.low), float(found.high)
    return Interval(low=low, high=high) if math.isfinite(low) and math.isfinite(high) else None
