"""The test of draws: it accepts a right sampler and refuses every way to be wrong that is tried on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgb_operators.correlation import WINDOW
from kgb_operators.randomness import binary_p_value

REJECT = 1e-9
SHAPE = (89, 92)
Reals = NDArray[np.float64]

Sampler = Callable[[np.random.Generator, Reals], Reals]


def right(rng: np.random.Generator, chance: Reals) -> Reals:
    return (rng.random(chance.shape) < chance).astype(np.float64)


def from_uniform(uniform: Reals, chance: Reals) -> Reals:
    """Draws from numbers that should have been independent, repeated until there are enough."""
    return (np.resize(uniform, chance.shape) < chance).astype(np.float64)


def without_end(rng: np.random.Generator, chance: Reals) -> Reals:
    draws = right(rng, chance)
    draws.ravel()[-64:] = 0
    return draws


def without_column(rng: np.random.Generator, chance: Reals) -> Reals:
    draws = right(rng, chance)
    draws[:, 7] = 0
    return draws


def one_two(rng: np.random.Generator, chance: Reals) -> Reals:
    draws = right(rng, chance)
    draws[3, 5] = 2
    return draws


WRONG: dict[str, Sampler] = {
    "zeros": lambda rng, chance: np.zeros_like(chance),
    "ones": lambda rng, chance: np.ones_like(chance),
    "the input": lambda rng, chance: chance.copy(),
    "the mean": lambda rng, chance: np.full_like(chance, chance.mean()),
    "NaN": lambda rng, chance: np.full_like(chance, np.nan),
    "a two": one_two,
    "rounded": lambda rng, chance: (chance > 0.5).astype(np.float64),
    "0.5 whatever the input": lambda rng, chance: right(rng, np.full_like(chance, 0.5)),
    "its mean whatever the input": lambda rng, chance: right(rng, np.full_like(chance, chance.mean())),
    "0.06 too often": lambda rng, chance: right(rng, np.minimum(chance + 0.06, 1)),
    "0.06 too seldom": lambda rng, chance: right(rng, np.maximum(chance - 0.06, 0)),
    "the other way round": lambda rng, chance: right(rng, 1 - chance),
    "probabilities read in another order": lambda rng, chance: right(
        rng, chance.ravel()[::-1].reshape(SHAPE)
    ),
    "every block of 1024 alike": lambda rng, chance: from_uniform(rng.random(1024), chance),
    "a period of 1000": lambda rng, chance: from_uniform(rng.random(1000), chance),
    "every row alike": lambda rng, chance: from_uniform(rng.random(SHAPE[1]), chance),
    "every column alike": lambda rng, chance: from_uniform(rng.random(SHAPE[0]).repeat(SHAPE[1]), chance),
    "one number for all": lambda rng, chance: from_uniform(rng.random(1), chance),
    "spread too evenly": lambda rng, chance: from_uniform(
        np.linspace(0, chance.size * 0.6180339887, chance.size) % 1, chance
    ),
    "the end not written": without_end,
    "a column not written": without_column,
}


@pytest.mark.parametrize("sampler", WRONG.values(), ids=WRONG)
def test_a_wrong_sampler_is_refused(sampler: Sampler) -> None:
    rng = np.random.default_rng(5)
    chance = rng.random(SHAPE)
    assert binary_p_value(chance, sampler(rng, chance)) < REJECT


@pytest.mark.parametrize("wrong", [(0.0, 1.0), (1.0, 0.0)])
def test_one_wrong_certainty_is_refused(wrong: tuple[float, float]) -> None:
    rng = np.random.default_rng(6)
    chance = rng.random(SHAPE)
    draws = right(rng, chance)
    chance[4, 4], draws[4, 4] = wrong
    assert binary_p_value(chance, draws) == 0.0


def test_a_repetition_beyond_the_window_is_refused() -> None:
    rng = np.random.default_rng(7)
    chance = np.full(4 * WINDOW, 0.5)
    assert binary_p_value(chance, from_uniform(rng.random(2 * WINDOW), chance)) < REJECT


def test_a_right_sampler_gets_small_values_no_more_often_than_they_say() -> None:
    rng = np.random.default_rng(8)
    found = []
    for _ in range(400):
        chance = rng.choice([rng.random((40, 50)), np.full((40, 50), 0.5), rng.random((40, 50)) / 50])
        found.append(binary_p_value(chance, right(rng, chance)))
    shares = [np.mean(np.array(found) < level) for level in (0.5, 0.1, 0.02)]
    assert all(share <= level for share, level in zip(shares, (0.5, 0.1, 0.02), strict=True))
    assert min(found) < 1.0


@settings(max_examples=60, deadline=None)
@given(
    shape=st.lists(st.integers(0, 9), max_size=5).map(tuple),
    scale=st.sampled_from([0.0, 0.01, 0.5, 1.0]),
    seed=st.integers(0, 2**32),
)
def test_any_shape_has_a_value_and_a_right_sampler_passes(
    shape: tuple[int, ...], scale: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    chance = np.asarray(rng.random(shape) * scale)
    assert REJECT < binary_p_value(chance, right(rng, chance)) <= 1.0
