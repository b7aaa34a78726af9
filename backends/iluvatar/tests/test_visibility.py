"""CUDA_VISIBLE_DEVICES, as CoreX is taken to read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_iluvatar.cards import Card
from kgb_backend_iluvatar.visibility import visible

CARDS = [Card(0, "A", "GPU-aa11"), Card(1, "B", "GPU-aa22"), Card(2, "C")]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, "ABC"),
        ("", ""),
        ("-1", ""),
        ("NoDevFiles", ""),
        ("1", "B"),
        ("2, 0", "CA"),
        ("00", "A"),
        ("0,7,1", "A"),
        ("0,0,1", "A"),
        ("GPU-aa2", "B"),
        ("GPU-aa", ""),
        ("GPU-aa22,0", "BA"),
        ("٣", ""),
    ],
)
def test_what_is_visible(value: str | None, names: str) -> None:
    assert "".join(card.name for card in visible(CARDS, value)) == names


@given(st.one_of(st.none(), st.text(alphabet="0123,-GPUa ", max_size=20)))
def test_nothing_appears_twice_or_from_nowhere(value: str | None) -> None:
    shown = visible(CARDS, value)
    assert len({card.index for card in shown}) == len(shown)
    assert set(shown) <= set(CARDS)
