"""Portability: the worked examples, its laws, and that what a chip has not judged is not held against it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.scores.portability import pair, portability

KERNELS = tuple("abcdef")
chips = st.dictionaries(st.sampled_from(KERNELS), st.booleans())
rights = st.dictionaries(st.sampled_from(("one", "two", "three")), chips, min_size=1)


def test_the_worked_example() -> None:
    first = {"w": True, "x": True, "y": True, "z": False}
    second = {"w": True, "x": False, "y": True, "z": False}
    found = portability({"A": first, "B": second})
    assert (found.kernels, found.somewhere) == (4, 3)
    assert (found.everywhere.count, found.everywhere.total) == (2, 3)


def test_the_worked_example_of_mcnemar() -> None:
    outcomes = {"A": [True] + [False] * 9 + [True] * 5, "B": [False] + [True] * 9 + [True] * 5}
    named = {chip: {str(i): value for i, value in enumerate(values)} for chip, values in outcomes.items()}
    found = pair("A", "B", named)
    assert (found.only_first, found.only_second, found.both, found.neither) == (1, 9, 5, 0)
    assert found.p_value == pytest.approx(0.0215, abs=5e-5)


def test_chips_that_agree_can_not_be_told_apart() -> None:
    assert pair("A", "B", {"A": {"x": True}, "B": {"x": True}}).p_value == 1.0


@given(rights)
def test_only_what_every_chip_has_judged_counts(some: dict[str, dict[str, bool]]) -> None:
    found = portability(some)
    shared = set.intersection(*(set(kernels) for kernels in some.values()))
    assert found.kernels == len(shared)
    assert found.everywhere.count <= found.somewhere <= found.kernels
    assert len(found.pairs) == len(some) * (len(some) - 1) // 2


@given(rights)
def test_a_chip_more_can_not_make_more_portable(some: dict[str, dict[str, bool]]) -> None:
    known = {kernel for kernels in some.values() for kernel in kernels}
    full = {chip: {kernel: kernels.get(kernel, False) for kernel in known} for chip, kernels in some.items()}
    more = portability({**full, "another": dict.fromkeys(known, False)})
    assert more.everywhere.count == 0
    assert more.somewhere == portability(full).somewhere


@given(chips, chips)
def test_the_order_of_a_pair_does_not_matter(first: dict[str, bool], second: dict[str, bool]) -> None:
    one, other = (pair(*order, {"A": first, "B": second}) for order in (("A", "B"), ("B", "A")))
    assert (one.only_first, one.only_second) == (other.only_second, other.only_first)
    assert one.p_value == pytest.approx(other.p_value)
