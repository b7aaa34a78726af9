"""pass@k: the worked example, its laws, and what it refuses."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.attempts import Attempts, pass_at_k

problems = st.integers(1, 8).flatmap(lambda n: st.builds(Attempts, st.just(n), st.integers(0, n)))


def test_the_worked_example() -> None:
    found = pass_at_k([Attempts(drawn=4, right=1)], 2)
    assert (found.value, found.interval, found.problems) == (0.5, None, 1)


@given(problems, st.integers(1, 8))
def test_it_is_the_share_of_subsets_with_a_right_sample(problem: Attempts, k: int) -> None:
    samples = [True] * problem.right + [False] * (problem.drawn - problem.right)
    subsets = list(itertools.combinations(samples, k))
    found = pass_at_k([problem], k)
    if not subsets:
        assert (found.value, found.problems) == (None, 0)
    else:
        assert found.value == pytest.approx(sum(map(any, subsets)) / len(subsets))


@given(st.lists(problems, min_size=2, max_size=6), st.integers(1, 3))
def test_the_interval_holds_the_value_and_more_samples_never_hurt(some: list[Attempts], k: int) -> None:
    found = pass_at_k(some, k)
    enough = [problem for problem in some if problem.drawn > k]
    less, more = pass_at_k(enough, k), pass_at_k(enough, k + 1)
    if less.value is not None and more.value is not None:
        assert less.value <= more.value + 1e-12
    if found.interval is not None and found.value is not None:
        assert 0 <= found.interval.low <= found.interval.high <= 1
        assert found.interval.low - 1e-9 <= found.value <= found.interval.high + 1e-9


@pytest.mark.parametrize(("problem", "k"), [(Attempts(3, 4), 1), (Attempts(3, -1), 1), (Attempts(3, 1), 0)])
def test_nonsense_is_refused(problem: Attempts, k: int) -> None:
    with pytest.raises(ValueError, match=r"k is 0|right of 3 drawn"):
        pass_at_k([problem], k)
