"""fast_p: the worked example, that it never rises, and that a failure is never fast."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.fast import STEPS, fast_curve, fast_p

speedups = st.lists(st.one_of(st.none(), st.floats(0.01, 100)), min_size=1, max_size=30)


def test_the_worked_example() -> None:
    found = fast_p([0.9, 1.2, 3.0, None], 1.0)
    assert (found.count, found.total) == (2, 4)


def test_as_fast_is_not_faster() -> None:
    assert fast_p([1.0], 1.0).count == 0


@given(speedups)
def test_the_curve_never_rises_and_starts_with_all_that_were_timed(values: list[float | None]) -> None:
    curve = fast_curve(values)
    shares = [point.problems.count for point in curve]
    assert shares == sorted(shares, reverse=True)
    assert [point.p for point in curve] == list(STEPS)
    assert shares[0] == sum(value is not None for value in values)


@given(speedups, st.floats(0, 5))
def test_one_more_failure_only_adds_to_the_total(values: list[float | None], p: float) -> None:
    before, after = fast_p(values, p), fast_p([*values, None], p)
    assert (after.count, after.total) == (before.count, before.total + 1)
