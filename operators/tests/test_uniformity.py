"""The test of uniform numbers: it accepts right ones at its stated rate and refuses every way to be wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgb_operators.correlation import WINDOW
from kgb_operators.uniformity import repeats_p_value, spread, uniform_p_value

REJECT = 1e-10
SHAPE = (89, 92)
COUNT = SHAPE[0] * SHAPE[1]
Reals = NDArray[np.float64]

Sampler = Callable[[np.random.Generator], Reals]


def part(values: Reals, place: slice | tuple[slice, int], value: float) -> Reals:
    """The values, one part of them overwritten."""
    changed = values.reshape(SHAPE).copy()
    changed[place] = value
    return changed


WRONG: dict[str, Sampler] = {
    "a constant": lambda rng: np.full(COUNT, 0.5),
    "too large": lambda rng: rng.random(COUNT) ** 0.8,
    "too small": lambda rng: rng.random(COUNT) ** 1.25,
    "never near an end": lambda rng: 0.01 + 0.98 * rng.random(COUNT),
    "gathered in the middle": lambda rng: (rng.random(COUNT) + rng.random(COUNT)) / 2,
    "spread too evenly": lambda rng: (np.arange(COUNT, dtype=np.float64) + 0.5) * 0.618 % 1,
    "sorted": lambda rng: np.sort(rng.random(COUNT)),
    "a period of 1000": lambda rng: np.resize(rng.random(1000), COUNT),
    "each twice": lambda rng: np.repeat(rng.random(COUNT // 2), 2),
    "the second half mirrors the first": lambda rng: np.concatenate([(u := rng.random(COUNT // 2)), 1 - u]),
    "the second half repeats the first": lambda rng: np.tile(rng.random(COUNT // 2), 2),
    "rows alike": lambda rng: np.tile(rng.random(SHAPE[1]), SHAPE[0]),
    "columns alike": lambda rng: np.repeat(rng.random(SHAPE[0]), SHAPE[1]),
    "the end not written": lambda rng: part(rng.random(COUNT), slice(-1, None), 0.5),
    "a column not written": lambda rng: part(rng.random(COUNT), (slice(None), 7), 0.4),
    "an impossible value": lambda rng: part(rng.random(COUNT), (slice(3, 4), 7), 1e-30),
    "each depends on the last": lambda rng: (np.cumsum(rng.random(COUNT)) * 0.5) % 1,
}


@pytest.mark.parametrize("sampler", WRONG.values(), ids=WRONG)
def test_wrong_numbers_are_refused(sampler: Sampler) -> None:
    assert uniform_p_value(sampler(np.random.default_rng(5)).reshape(SHAPE)) < REJECT


def test_a_repetition_beyond_the_window_is_refused() -> None:
    rng = np.random.default_rng(7)
    assert uniform_p_value(np.tile(rng.random(WINDOW), 2)) < REJECT


def test_right_numbers_get_small_values_no_more_often_than_they_say() -> None:
    rng = np.random.default_rng(8)
    found = np.array(
        [uniform_p_value(rng.random(rng.choice([40, 400]) * 3).reshape(3, -1)) for _ in range(600)]
    )
    for level in (0.5, 0.1, 0.02):
        assert np.mean(found < level) <= level
    assert found.min() < 0.5


@settings(max_examples=60, deadline=None)
@given(shape=st.lists(st.integers(0, 9), max_size=5).map(tuple), seed=st.integers(0, 2**32))
def test_any_shape_has_a_value_and_right_numbers_pass(shape: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert REJECT < uniform_p_value(np.asarray(rng.random(shape))) <= 1.0


@settings(max_examples=30, deadline=None)
@given(rate=st.floats(0.1, 500), seed=st.integers(0, 2**32))
def test_whole_draws_become_uniform(rate: float, seed: int) -> None:
    from scipy import stats

    law = stats.poisson(rate)
    drawn = np.random.default_rng(seed).poisson(rate, 500).astype(np.float64)
    assert uniform_p_value(spread(law.cdf(drawn - 1), law.pmf(drawn))) > REJECT


@pytest.mark.parametrize(("bits", "right"), [(10, False), (16, False), (24, True), (53, True)])
def test_too_few_random_bits_are_refused(bits: int, right: bool) -> None:
    values = np.floor(np.random.default_rng(9).random(COUNT) * 2.0**bits)
    assert (repeats_p_value(values) >= REJECT) is right


def test_values_that_come_again_at_random_places_are_refused() -> None:
    rng = np.random.default_rng(10)
    values = np.tile(rng.random(COUNT // 2), 2)
    rng.shuffle(values)
    assert repeats_p_value(values) < REJECT
