"""Telling right draws of 0 and 1 from wrong ones, without knowing anyone's generator.

`binary_p_value` asks whether draws could come from an independent sampler with the stated probabilities.
Every bound in it holds for any number of draws, not only in the limit, so a right sampler gets a value below
x with probability x at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgb_core.lazy import lazy_module
from kgb_operators.correlation import SMALLEST, autocorrelation, in_windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import stats

    Reals = NDArray[np.float64]
else:
    np = lazy_module("numpy")
    stats = lazy_module("scipy.stats")

CLASSES = (1, 8, 64)
"""Into how many classes of similar probability draws are sorted: all alike, coarsely, finely."""
RUNS = 64
"""Runs of neighbours whose ones are counted."""


def binary_p_value(chance: Reals, draws: Reals) -> float:
    """How probable draws at least this odd are for independent draws with these probabilities.

    Three questions. Is every value 0 or 1, and the one that is certain where the probability is 0 or 1? Has
    every group of draws (by probability, by slice along each dimension, by run of neighbours) a credible
    number of ones? Do draws at a distance from one another, any distance, agree only by chance? The last two
    share the risk in halves, and each its half among its members (Bonferroni).

    Args:
        chance: the probability of a 1, of any shape.
        draws: as many draws.

    Returns:
        The p-value; 0.0 where the first answer is no.
    """
    certain = (chance == 0) | (chance == 1)
    if np.any((draws != 0) & (draws != 1)) or np.any(certain & (draws != chance)):
        return 0.0
    return min(1.0, 2 * _counts_p_value(chance, draws), 2 * _distances_p_value(chance.ravel(), draws.ravel()))


@dataclass(frozen=True)
class _Groups:
    """Groups of draws: how many there are in each, how many ones were expected, and how many came."""

    size: Reals
    expected: Reals
    ones: Reals


def _counts_p_value(chance: Reals, draws: Reals) -> float:
    flat, flat_draws = chance.ravel(), draws.ravel()
    classes = [_by_chance(flat, flat_draws, count) for count in CLASSES]
    tried = [*classes, _by_run(flat, flat_draws), *_by_slice(chance, draws)]
    found = np.concatenate([_binomial(groups) for groups in tried])
    return float(found.min() * found.size) if found.size else 1.0


def _by_chance(chance: Reals, draws: Reals, classes: int) -> _Groups:
    """Classes of similar probability: a sampler that ignores its input, or permutes it, fails."""
    label = np.minimum(chance * classes, classes - 1).astype(np.int64)
    counts = (np.bincount(label, weights, classes) for weights in (None, chance, draws))
    return _Groups(*(count.astype(np.float64) for count in counts))


def _by_run(chance: Reals, draws: Reals) -> _Groups:
    """Equal runs in memory order, then beginnings and ends of every length: a block not written fails."""
    count = chance.size
    edges = np.linspace(0, count, RUNS + 1).astype(np.int64)
    lengths = 2 ** np.arange(count.bit_length())
    start = np.concatenate([edges[:-1], np.zeros_like(lengths), count - lengths])
    stop = np.concatenate([edges[1:], lengths, np.full_like(lengths, count)])
    sums = (np.concatenate([[0.0], values.cumsum()]) for values in (chance, draws))
    return _Groups((stop - start).astype(np.float64), *(total[stop] - total[start] for total in sums))


def _by_slice(chance: Reals, draws: Reals) -> Iterator[_Groups]:
    """The slices along each dimension: a row or column that nobody wrote fails."""
    for dim in range(chance.ndim):
        others = tuple(d for d in range(chance.ndim) if d != dim)
        size = math.prod(chance.shape[d] for d in others)
        if size >= SMALLEST:
            ones = draws.sum(others)
            yield _Groups(np.full(ones.shape, float(size)), chance.sum(others), ones)


def _binomial(groups: _Groups) -> Reals:
    """Two-sided p-values of the counts, by the binomial distribution with each group's mean probability.

    Where probabilities differ within a group, the count is no binomial. Hoeffding (1956, Annals of
    Mathematical Statistics 27, 713-721): from one step beyond the mean on, its tails are the lighter ones.
    Nearer to the mean the p-value is 1.
    """
    keep = groups.size >= SMALLEST
    size, expected, ones = groups.size[keep], groups.expected[keep], groups.ones[keep]
    mean = np.clip(expected / size, 0.0, 1.0)
    tail = np.minimum(stats.binom.cdf(ones, size, mean), stats.binom.sf(ones - 1, size, mean))
    return np.where(np.abs(ones - expected) < 1, 1.0, np.minimum(1.0, 2 * tail))


def _distances_p_value(chance: Reals, draws: Reals) -> float:
    """Dependence at every distance among the first draws, and among draws spread over all of them."""
    found = in_windows(np.stack([chance, draws], axis=1), _dependence)
    return min(found) * len(found)


def _dependence(pairs: Reals) -> float:
    chance, draws = pairs[:, 0], pairs[:, 1]
    largest = np.maximum(chance, 1 - chance) ** 2
    return autocorrelation(draws - chance, chance * (1 - chance), largest)
