"""What a success costs: the worked example, its laws, and that no success has no price."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.cost import per_success


def test_the_worked_example() -> None:
    found = per_success(1_000_000, 40, 50)
    assert found.value == 25_000
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((22_530, 29_870), abs=10)


def test_what_never_succeeds_has_no_price() -> None:
    found = per_success(5.0, 0, 50)
    assert (found.value, found.interval) == (None, None)


@given(st.integers(1, 200), st.integers(0, 200), st.floats(0, 1e9))
def test_the_interval_holds_the_value_and_doubling_doubles(right: int, wrong: int, spent: float) -> None:
    found, doubled = per_success(spent, right, right + wrong), per_success(2 * spent, right, right + wrong)
    assert found.value is not None
    assert found.interval is not None
    assert found.interval.low <= found.value * (1 + 1e-12)
    assert found.value <= found.interval.high * (1 + 1e-12)
    assert doubled.value == pytest.approx(2 * found.value)


@pytest.mark.parametrize(("spent", "successes", "tried"), [(-1.0, 1, 2), (1.0, 3, 2), (1.0, -1, 2)])
def test_nonsense_is_refused(spent: float, successes: int, tried: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {tried} for {spent}"):
        per_success(spent, successes, tried)
