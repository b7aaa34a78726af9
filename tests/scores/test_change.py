"""Changes between two runs: the worked examples, their laws, and how often noise is taken for a change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.change import Change, change_of, mean_change, real_changes

samples = st.lists(st.integers(1, 10**9), min_size=1, max_size=30)


def test_the_worked_example() -> None:
    found = change_of([100, 101, 102], [110, 111, 112])
    assert found.ratio == pytest.approx(1.099, abs=5e-4)
    assert found.p_value == pytest.approx(0.1)


def test_the_worked_example_of_many() -> None:
    some = [change_of([1, 2], [1, 2]).model_copy(update={"p_value": p}) for p in (0.001, 0.02, 0.04, 0.5)]
    assert real_changes(some) == [True, True, False, False]
    assert real_changes([]) == []


def test_the_worked_example_of_a_mean() -> None:
    found = mean_change([1.1, 1.2, 0.9])
    assert found.ratio == pytest.approx(1.059, abs=5e-4)
    assert (found.cases, found.real) == (3, False)
    assert mean_change([1.5, 1.6, 1.55, 1.7]).real
    assert mean_change([]).ratio is None


@given(samples)
def test_nothing_changed_is_no_change(some: list[int]) -> None:
    found = change_of(some, some)
    assert found.ratio == 1.0
    assert found.p_value > 0.5


@given(samples, samples)
def test_turned_around_the_ratio_is_turned_and_p_stays(before: list[int], after: list[int]) -> None:
    there, back = change_of(before, after), change_of(after, before)
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert back.p_value == pytest.approx(there.p_value)
    assert there.interval.low <= there.interval.high


def _noisy(generator: np.random.Generator, centre: float) -> list[int]:
    return [int(value) for value in generator.normal(centre, 300, size=40)]


def test_noise_is_seldom_called_a_change_and_a_change_is_seen() -> None:
    generator = np.random.default_rng(5)
    noise: list[Change] = [change_of(_noisy(generator, 10_000), _noisy(generator, 10_000)) for _ in range(60)]
    assert sum(real_changes(noise)) <= 3
    slower = change_of(_noisy(generator, 10_000), _noisy(generator, 10_500))
    assert real_changes([*noise, slower])[-1]


@pytest.mark.parametrize(("before", "after"), [([], [1]), ([1], []), ([0], [1]), ([1], [-1])])
def test_what_is_no_time_is_refused(before: list[int], after: list[int]) -> None:
    with pytest.raises(ValueError, match="both sides need samples"):
        change_of(before, after)
