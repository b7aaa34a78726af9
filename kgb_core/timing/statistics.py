"""Statistics of samples: medians with intervals, speedups paired by round, when to stop, what looks odd."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from kgb_core.models.timing import Interval, Samples, Summary

CONFIDENCE = 0.95
PRECISION = 0.02
"""Sampling stops when the interval of every median is within this share of it."""
FEWEST = 20
"""Samples before stopping is considered: with fewer, luck looks like calm."""
_BIMODAL = 5 / 9
"""Sarle's coefficient of the uniform distribution; two peaks exceed it."""


def median_interval(samples: Sequence[float]) -> Interval:
    """The 95 % interval of the median, by order statistics: no shape is assumed.

    Args:
        samples: at least one.
    """
    values = np.asarray(samples, dtype=float)
    found = stats.quantile_test(values, p=0.5).confidence_interval(CONFIDENCE)
    low = found.low if not math.isnan(found.low) else values.min()
    high = found.high if not math.isnan(found.high) else values.max()
    return Interval(low=float(low), high=float(high))


def summary(samples: Samples) -> Summary:
    """Median, its interval, and the host's median."""
    return Summary(
        median_ns=float(np.median(samples.device_ns)),
        interval_ns=median_interval(samples.device_ns),
        call_median_ns=float(np.median(samples.call_ns)),
        count=len(samples.device_ns),
    )


def settled(samples: Sequence[int]) -> bool:
    """True when the median is known to within `PRECISION`."""
    if len(samples) < FEWEST:
        return False
    interval = median_interval(samples)
    middle = float(np.median(samples))
    return middle > 0 and max(interval.high - middle, middle - interval.low) <= PRECISION * middle


def speedup(baseline: Sequence[int], candidate: Sequence[int]) -> Interval:
    """The 95 % interval of baseline over candidate, paired by round."""
    ratios = np.asarray(baseline, dtype=float) / np.asarray(candidate, dtype=float)
    return median_interval(list(ratios))


def bimodal(samples: Sequence[int]) -> bool:
    """True when the samples look like two groups more than 10 % apart: a mean of them would mean nothing."""
    values = np.asarray(samples, dtype=float)
    count = len(values)
    if count < FEWEST or np.ptp(values) <= 0.1 * np.median(values):
        return False
    skew, kurtosis = stats.skew(values), stats.kurtosis(values)
    correction = 3 * (count - 1) ** 2 / ((count - 2) * (count - 3))
    return bool((skew**2 + 1) / (kurtosis + correction) > _BIMODAL)
