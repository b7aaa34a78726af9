"""Dependence between draws at any distance from one another: periods, repeated blocks, shifted copies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from kgb_core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
else:
    np = lazy_module("numpy")

SMALLEST = 32
"""Draws that a group needs before it is looked at."""
WINDOW = 2**20
"""Draws between which every distance is tested for dependence; bounds the cost for large outputs."""


def in_windows(values: Reals, test: Callable[[Reals], float]) -> list[float]:
    """The p-values of a test on the first draws, and on draws spread over all of them.

    Args:
        values: draws in memory order; the last dimension may hold what belongs to each.
        test: gives a p-value.
    """
    step = -(-len(values) // WINDOW) if len(values) else 1
    windows = [slice(None, WINDOW)] if step == 1 else [slice(None, WINDOW), slice(None, None, step)]
    return [test(values[window]) for window in windows]


def autocorrelation(deviation: Reals, spread: Reals, largest: Reals) -> float:
    """The p-value of the oddest autocorrelation of draws.

    The products of deviations at one distance are martingale differences: given all earlier draws, the
    later factor has mean 0. Freedman (1975, Annals of Probability 3, 100-118), in Bernstein's form: with
    conditional variances summing to at most v and steps of at most b, a sum of s or more has probability at
    most exp(-s**2 / 2 / (v + b s / 3)).

    Args:
        deviation: of each draw from its mean.
        spread: the variance of each draw.
        largest: the square of the largest deviation that each draw can have.
    """
    if deviation.size < SMALLEST:
        return 1.0
    total = np.abs(_products(deviation, deviation))
    # What rounding in the transforms may have taken from the variance is given back.
    variance = np.maximum(_products(largest, spread), 0.0) + 1e-6
    odds = 2 * np.exp(-(total**2) / 2 / (variance + largest.max() * total / 3))
    return float(odds.min() * odds.size)


def _products(first: Reals, second: Reals) -> Reals:
    """The sum over i of first[i] * second[i + distance], for each distance from 1 on."""
    padded = 2 ** math.ceil(math.log2(2 * first.size))
    transformed = np.fft.rfft(first, padded).conj() * np.fft.rfft(second, padded)
    sums: Reals = np.fft.irfft(transformed, padded)[1 : first.size]
    return sums
