"""CUDA_VISIBLE_DEVICES, as CUDA reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_nvidia.cards import Card
from kgb_backend_nvidia.visibility import is_ambiguous, visible

CARDS = [
    Card(0, "NVIDIA H200", "GPU-aa11"),
    Card(1, "NVIDIA H200", "GPU-aa22"),
    Card(2, "NVIDIA H200", "MIG-bb11"),
    Card(2, "NVIDIA H200", "MIG-bb22"),
]


@pytest.mark.parametrize(
    ("value", "uuids"),
    [
        (None, ["GPU-aa11", "GPU-aa22", "MIG-bb11", "MIG-bb22"]),
        ("", []),
        ("-1", []),
        ("NoDevFiles", []),
        ("none", []),
        ("1", ["GPU-aa22"]),
        ("1, 0", ["GPU-aa22", "GPU-aa11"]),
        ("0,7,1", ["GPU-aa11"]),
        ("0,0,1", ["GPU-aa11"]),
        ("GPU-aa2", ["GPU-aa22"]),
        ("GPU-aa", []),
        ("GPU-zz,0", []),
        ("MIG-bb22", ["MIG-bb22"]),
        ("MIG-bb22,0", ["MIG-bb22", "GPU-aa11"]),
        ("2", ["MIG-bb11"]),
    ],
)
def test_what_is_visible(value: str | None, uuids: list[str]) -> None:
    assert [card.uuid for card in visible(CARDS, value)] == uuids


@given(st.one_of(st.none(), st.text(alphabet="0123,-GPUMIab ", max_size=20)))
def test_nothing_appears_twice_or_from_nowhere(value: str | None) -> None:
    shown = visible(CARDS, value)
    assert len({card.uuid for card in shown}) == len(shown)
    assert set(shown) <= set(CARDS)


@pytest.mark.parametrize(
    ("other", "value", "order", "ambiguous"),
    [
        ("NVIDIA L4", "0,1", None, True),
        ("NVIDIA L4", "0,1", "FASTEST_FIRST", True),
        ("NVIDIA L4", "0,1", "PCI_BUS_ID", False),
        ("NVIDIA L4", "GPU-aa11", None, False),
        ("NVIDIA L4", None, None, False),
        ("NVIDIA H200", "0,1", None, False),
    ],
)
def test_indices_are_ambiguous_where_cards_differ(
    other: str, value: str | None, order: str | None, ambiguous: bool
) -> None:
    assert is_ambiguous([CARDS[0], Card(1, other)], value, order) is ambiguous
