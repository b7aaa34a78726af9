"""CUDA_VISIBLE_DEVICES, read as CUDA reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_metax.cards import Card
from kgb_backend_metax.visibility import visible

CARDS = [Card(0, "MXC500", "GPU-aa11"), Card(1, "MXC500", "GPU-aa22"), Card(4, "MXC550")]


@pytest.mark.parametrize(
    ("value", "gpus"),
    [
        (None, [0, 1, 4]),
        ("", []),
        ("-1", []),
        ("NoDevFiles", []),
        ("1", [1]),
        (" 1 , 0", [1, 0]),
        ("4", [4]),
        ("0,7,1", [0]),
        ("0,0,1", [0]),
        ("GPU-aa22", [1]),
        ("GPU-aa", []),
    ],
)
def test_what_is_visible(value: str | None, gpus: list[int]) -> None:
    assert [card.gpu for card in visible(CARDS, value)] == gpus


@given(st.one_of(st.none(), st.text(alphabet="0124,-GPUa ", max_size=20), st.text(max_size=10)))
def test_nothing_appears_twice_or_from_nowhere(value: str | None) -> None:
    shown = visible(CARDS, value)
    assert len({card.gpu for card in shown}) == len(shown)
    assert set(shown) <= set(CARDS)
