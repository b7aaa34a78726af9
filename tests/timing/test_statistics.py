"""The statistics of samples: intervals that hold what they promise, and what looks odd looks odd."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgb_core.models.timing import Samples
from kgb_core.timing.statistics import FEWEST, bimodal, median_interval, settled, speedup, summary

Draws = NDArray[np.float64]
TIMES = st.lists(st.integers(1, 10**9), min_size=1, max_size=60)

DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, int], Draws]] = {
    "exponential": lambda rng, count: rng.exponential(1000, count),
    "normal": lambda rng, count: rng.normal(1000, 50, count),
    "heavy tail": lambda rng, count: 1000 + np.abs(rng.standard_t(2, count)) * 100,
}


def true_median(draw: Callable[[np.random.Generator, int], Draws]) -> float:
    return float(np.median(draw(np.random.default_rng(99), 2_000_001)))


@pytest.mark.parametrize("draw", DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_the_interval_holds_the_true_median_nineteen_times_in_twenty(
    draw: Callable[[np.random.Generator, int], Draws],
) -> None:
    rng, median = np.random.default_rng(7), true_median(draw)
    intervals = [median_interval(list(draw(rng, 40))) for _ in range(400)]
    share = np.mean([interval.low <= median <= interval.high for interval in intervals])
    assert 0.92 <= share <= 0.995
    assert np.mean([interval.high - interval.low for interval in intervals]) < 2 * median


@given(TIMES)
def test_the_interval_holds_the_median_and_lies_within_the_samples(samples: list[int]) -> None:
    interval = median_interval(samples)
    assert min(samples) <= interval.low <= np.median(samples) <= interval.high <= max(samples)


@given(TIMES)
def test_order_does_not_matter(samples: list[int]) -> None:
    assert median_interval(samples) == median_interval(sorted(samples))


def test_a_summary_tells_device_and_host_apart() -> None:
    found = summary(Samples(device_ns=(10, 30, 20), call_ns=(500, 700, 600)))
    assert (found.median_ns, found.call_median_ns, found.count) == (20.0, 600.0, 3)


def test_an_even_number_of_samples_has_a_median_between_two() -> None:
    assert summary(Samples(device_ns=(10, 20), call_ns=(1, 2))).median_ns == 15.0


def noisy(spread: float, count: int, centre: float = 100_000) -> list[int]:
    return [int(x) for x in np.random.default_rng(3).normal(centre, spread * centre, count)]


def test_quiet_samples_settle_and_noisy_ones_do_not() -> None:
    assert settled(noisy(0.01, 40))
    assert not settled(noisy(0.2, 40))


def test_noisy_samples_settle_when_there_are_enough() -> None:
    assert settled(noisy(0.05, 400))


def test_few_samples_are_never_settled_however_calm() -> None:
    assert not settled([1000] * (FEWEST - 1))
    assert settled([1000] * FEWEST)


def test_a_timer_that_sees_no_time_never_settles() -> None:
    assert not settled([0] * 50)


def test_two_groups_are_told_from_one() -> None:
    assert bimodal(noisy(0.01, 30) + noisy(0.01, 30, centre=150_000))
    assert not bimodal(noisy(0.03, 60))


def test_groups_that_lie_close_together_are_one() -> None:
    assert not bimodal([1000] * 30 + [1050] * 30)


def test_a_slow_drift_is_not_two_groups() -> None:
    assert not bimodal(list(range(1000, 1300, 5)))


def test_few_samples_are_never_two_groups() -> None:
    assert not bimodal([1000, 2000] * 5)


def test_a_speedup_is_paired_by_round() -> None:
    """Both slow down together: the ratio stays, and so must its interval."""
    drift = np.linspace(1, 3, 40)
    candidate, baseline = (1000 * drift).astype(int), (2000 * drift).astype(int)
    paired = speedup(baseline.tolist(), candidate.tolist())
    assert paired.low == pytest.approx(2, rel=0.01)
    assert paired.high == pytest.approx(2, rel=0.01)
    shuffled = speedup(baseline.tolist(), candidate.tolist()[::-1])
    assert shuffled.high - shuffled.low > 0.5


@given(TIMES)
def test_nothing_is_faster_than_itself(samples: list[int]) -> None:
    assert speedup(samples, samples).low == speedup(samples, samples).high == 1.0
