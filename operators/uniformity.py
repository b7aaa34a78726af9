"""Telling independent uniform numbers from others: Kolmogorov-Smirnov, chi-square, moments, correlation.

A rule brings its draws here by the probability integral transform: a right draw x of a distribution F becomes
F(x), uniform in [0, 1). Draws that are whole or rounded stand for a cell of probabilities [F(x-), F(x)); a
place in the cell is drawn for each (`spread`), so that right draws are uniform exactly.

Every p-value here is valid at any number of draws and in the far tail, since it is exact or a proven bound:
a right sampler gets a value below x with probability x at most. Limits as small as 1e-10 mean what they say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kgb_core.lazy import lazy_module
from kgb_operators.correlation import SMALLEST, autocorrelation, in_windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import special, stats

    Reals = NDArray[np.float64]
else:
    np = lazy_module("numpy")
    special = lazy_module("scipy.special")
    stats = lazy_module("scipy.stats")

BINS = 64
"""Of the chi-square tests: 64 intervals, or 8 by 8 for pairs."""
RUNS = 64
"""Runs of neighbours that are looked at one by one."""
BITS = 20
"""Random bits that a draw in float32 or wider must have; torch's generators give 24 and 53."""
REPEATS_AMONG = 2**17
"""Draws among which repetitions are counted."""
_LEAST, _MOST = 1e-300, 1 - 2.0**-53


def spread(below: Reals, width: Reals) -> Reals:
    """A place in each draw's cell of probabilities, drawn with a fixed seed: the verdict is reproducible.

    Args:
        below: the probability of less than the draw.
        width: the probability of the draw itself; 0 for continuous ones.
    """
    place = np.random.default_rng(0x6B6762).random(below.shape)
    found: Reals = np.clip(below + width * place, _LEAST, _MOST)
    return found


def uniform_p_value(uniform: Reals) -> float:
    """How probable numbers at least this odd are, if they are independent and uniform.

    Six questions share the risk equally, and each its part among its members (Bonferroni): the distribution
    as a whole, its moments, its extremes, groups of draws (slices, runs), neighbours, and dependence at every
    distance.

    Args:
        uniform: transformed draws in (0, 1), in the shape of the output.
    """
    if not uniform.size:
        return 1.0
    flat = uniform.ravel()
    questions = [
        [_kolmogorov_smirnov(flat), _chi_square(_binned(flat, BINS))],
        _moments(flat),
        _extremes(flat),
        list(_groups(uniform)),
        [_chi_square(_paired(flat, distance)) for distance in _distances(uniform)],
        in_windows(flat, _dependence),
    ]
    asked = [min(found) * len(found) for found in questions if found]
    return min(1.0, min(asked) * len(questions))


def repeats_p_value(values: Reals) -> float:
    """How probable this many repeated values are, if each draw has `BITS` random bits at least.

    Given all earlier draws, the next repeats one of them with a probability of at most their number divided
    by 2**BITS, so the count of repetitions is stochastically below a binomial one.
    """
    some = values.ravel()[:REPEATS_AMONG]
    repeated = some.size - np.unique(some).size
    return float(stats.binom.sf(repeated - 1, some.size, min(1.0, some.size / 2**BITS)))


def _kolmogorov_smirnov(uniform: Reals) -> float:
    """The two-sided test with the exact distribution of its statistic."""
    count = uniform.size
    ordered, rank = np.sort(uniform), np.arange(count)
    distance = max((ordered - rank / count).max(), ((rank + 1) / count - ordered).max())
    return float(stats.kstwo.sf(distance, count))


def _moments(uniform: Reals) -> list[float]:
    """Mean and variance of the normal scores, and the mean of the exponential scores of either tail.

    Sums of normal scores are normal, of their squares chi-square, of exponential scores gamma: all exactly.
    """
    count = uniform.size
    lower = stats.gamma(count)
    scores = special.ndtri(uniform)
    sums = (-np.log(uniform).sum(), -np.log1p(-uniform).sum())
    return [
        *_normal_p_values(scores.sum(), count),
        *_square_p_values((scores**2).sum(), count),
        *(2 * float(min(lower.cdf(total), lower.sf(total))) for total in sums),
    ]


def _extremes(uniform: Reals) -> list[float]:
    """The smallest and the largest draw: impossible values lie too near to an end, rare ones are missing."""
    count = uniform.size
    ends = (count * math.log1p(-float(uniform.min())), count * math.log(float(uniform.max())))
    return [p_value for end in ends for p_value in (-math.expm1(end), math.exp(end))]


def _groups(uniform: Reals) -> Iterator[float]:
    """Every slice along every dimension, runs in memory order, beginnings and ends: mean and variance."""
    scores = special.ndtri(uniform)
    for dim in range(uniform.ndim):
        others = tuple(d for d in range(uniform.ndim) if d != dim)
        size = math.prod(uniform.shape[d] for d in others)
        if size >= SMALLEST:
            yield from _normal_p_values(scores.sum(others), size)
            yield from _square_p_values((scores**2).sum(others), size)
    yield from _runs(scores.ravel())


def _runs(scores: Reals) -> Iterator[float]:
    count = scores.size
    edges = np.linspace(0, count, RUNS + 1).astype(np.int64)
    lengths = 2 ** np.arange(count.bit_length())
    start = np.concatenate([edges[:-1], np.zeros_like(lengths), count - lengths])
    stop = np.concatenate([edges[1:], lengths, np.full_like(lengths, count)])
    start, stop = start[stop - start >= SMALLEST], stop[stop - start >= SMALLEST]
    total, squares = (np.concatenate([[0.0], values.cumsum()]) for values in (scores, scores**2))
    yield from _normal_p_values(total[stop] - total[start], stop - start)
    yield from _square_p_values(squares[stop] - squares[start], stop - start)


def _normal_p_values(total: Reals, size: Reals | int) -> list[float]:
    """Two-sided p-values of sums of so many normal scores."""
    return list(np.ravel(2 * special.ndtr(-np.abs(total) / np.sqrt(size))))


def _square_p_values(total: Reals, size: Reals | int) -> list[float]:
    """Two-sided p-values of sums of so many squared normal scores."""
    lower, upper = special.chdtr(size, total), special.chdtrc(size, total)
    return list(np.ravel(2 * np.minimum(lower, upper)))


def _binned(uniform: Reals, bins: int) -> Reals:
    """How many draws fall into each of equal intervals."""
    label = np.minimum(uniform * bins, bins - 1).astype(np.int64)
    counts: Reals = np.bincount(label, minlength=bins).astype(np.float64)
    return counts


def _paired(uniform: Reals, distance: int) -> Reals:
    """How many pairs at a distance fall into each of 8 by 8 squares; no draw is in two pairs."""
    side = math.isqrt(BINS)
    blocks = uniform[: uniform.size // (2 * distance) * 2 * distance].reshape(-1, 2, distance)
    label = np.minimum(blocks * side, side - 1).astype(np.int64)
    counts: Reals = np.bincount((label[:, 0] * side + label[:, 1]).ravel(), minlength=BINS).astype(np.float64)
    return counts


def _distances(uniform: Reals) -> list[int]:
    """1 to 8, powers of two, and the steps of the dimensions, as far as there are pairs of them."""
    steps = [math.prod(uniform.shape[dim + 1 :]) for dim in range(uniform.ndim)]
    powers = [2**n for n in range(3, uniform.size.bit_length())]
    return sorted({d for d in (*range(1, 9), *powers, *steps) if 0 < 2 * d <= uniform.size})


def _chi_square(counts: Reals) -> float:
    """The p-value of the likelihood ratio form of the chi-square statistic against equal probabilities.

    Agrawal (2020, IEEE Transactions on Information Theory 66, 6297-6302): n draws over k classes have a
    relative entropy of e > (k - 1) / n with probability at most exp(k - 1 - n e) * (n e / (k - 1))**(k - 1),
    at every n; the asymptotic distribution of the statistic is no such bound. Counts that are too even are
    the other tests' business.
    """
    count, free = counts.sum(), counts.size - 1
    if not count:
        return 1.0
    entropy = float(special.xlogy(counts, counts * counts.size / count).sum())
    if entropy <= free:
        return 1.0
    return min(1.0, math.exp(free - entropy + free * math.log(entropy / free)))


def _dependence(uniform: Reals) -> float:
    """Autocorrelation of the draws and of their distances from the middle, which sees mirrored copies."""
    centred = uniform - 0.5
    squared = centred**2 - 1 / 12
    found = [
        autocorrelation(centred, np.full_like(uniform, 1 / 12), np.full_like(uniform, 1 / 4)),
        autocorrelation(squared, np.full_like(uniform, 1 / 180), np.full_like(uniform, 1 / 36)),
    ]
    return min(found) * len(found)
