"""The mean speedup: the worked example, its laws, and that failures can't raise the penalised form."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.mean import mean_speedup

values = st.floats(0.01, 100)


def test_the_worked_example() -> None:
    found = mean_speedup([2.0, 0.5, 4.0, None])
    assert found.value == pytest.approx(1.587, abs=5e-4)
    assert found.penalised == pytest.approx(1.414, abs=5e-4)
    assert (found.matched, found.wanted, found.coverage) == (3, 4, 0.75)


def test_of_nothing_there_is_no_mean() -> None:
    found = mean_speedup([])
    assert (found.value, found.penalised, found.coverage) == (None, None, None)
    alone = mean_speedup([None, None])
    assert (alone.value, alone.penalised, alone.coverage) == (None, 1.0, 0.0)


@given(st.lists(values, min_size=1, max_size=20))
def test_turning_every_time_upside_down_turns_the_mean(some: list[float]) -> None:
    found, turned = mean_speedup(some), mean_speedup([1 / value for value in some])
    assert found.value is not None
    assert turned.value == pytest.approx(1 / found.value)
    assert min(some) * (1 - 1e-9) <= found.value <= max(some) * (1 + 1e-9)


@given(st.lists(values, min_size=2, max_size=20), st.integers(0, 5))
def test_failures_draw_the_penalised_form_towards_one_only(some: list[float], more: int) -> None:
    found = mean_speedup([*some, *[None] * more])
    assert found.value == pytest.approx(mean_speedup(some).value)
    assert found.value is not None
    assert found.penalised is not None
    assert abs(math.log(found.penalised)) <= abs(math.log(found.value)) + 1e-12


@given(st.lists(values, min_size=2, max_size=12))
def test_the_interval_lies_between_the_smallest_and_the_largest(some: list[float]) -> None:
    found = mean_speedup(some).interval
    if found is not None:
        assert min(some) * (1 - 1e-9) <= found.low <= found.high <= max(some) * (1 + 1e-9)


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_is_no_speedup_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite number above zero"):
        mean_speedup([value])
