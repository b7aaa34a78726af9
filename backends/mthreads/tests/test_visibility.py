"""MUSA_VISIBLE_DEVICES, read as CUDA reads its variable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_mthreads.cards import Card
from kgb_backend_mthreads.visibility import visible

CARDS = [Card(0, "MTT S4000", "aa11"), Card(1, "MTT S4000", "aa22"), Card(4, "MTT S5000")]


@pytest.mark.parametrize(
    ("value", "gpus"),
    [
        (None, [0, 1, 4]),
        ("", []),
        ("-1", []),
        ("none", []),
        ("1", [1]),
        (" 1 , 0", [1, 0]),
        ("4", [4]),
        ("0,7,1", [0]),
        ("0,0,1", [0]),
        ("aa22", [1]),
        ("aa", []),
    ],
)
def test_what_is_visible(value: str | None, gpus: list[int]) -> None:
    assert [card.gpu for card in visible(CARDS, value)] == gpus


@given(st.one_of(st.none(), st.text(alphabet="0124,-a ", max_size=20), st.text(max_size=10)))
def test_nothing_appears_twice_or_from_nowhere(value: str | None) -> None:
    shown = visible(CARDS, value)
    assert len({card.gpu for card in shown}) == len(shown)
    assert set(shown) <= set(CARDS)
