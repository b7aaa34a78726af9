"""ASCEND_RT_VISIBLE_DEVICES, read as CANN's reference says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_ascend.cards import Card
from kgb_backend_ascend.visibility import visible

CARDS = [Card(4 + place, 0, "910B3", logic=place) for place in range(4)]


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (None, [0, 1, 2, 3]),
        ("1", [1]),
        ("1,2,3", [1, 2, 3]),
        ("1, 2,3", [1]),
        ("1,3,8", [1, 3]),
        ("1,2,-1,3", [1, 2]),
        ("3,2,1", [3]),
        ("1,1,2", [1]),
        ("", []),
        ("-1", []),
        ("none", []),
        ("0-2", []),
        ("01", []),
    ],
)
def test_what_is_visible(value: str | None, ids: list[int]) -> None:
    assert [card.index for card in visible(CARDS, value)] == ids


@given(st.one_of(st.none(), st.text(alphabet="0123,- ", max_size=20), st.text(max_size=10)))
def test_what_is_visible_ascends(value: str | None) -> None:
    shown = [card.index for card in visible(CARDS, value)]
    assert shown == sorted(set(shown))
