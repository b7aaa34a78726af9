"""ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES, as ROCm's runtime reads them, and pinning through them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_amd.cards import Card, pin
from kgb_backend_amd.visibility import is_ambiguous, pinned, visible

CARDS = [
    Card(0, "A", unique_id=0xAA11, rank=2),
    Card(1, "B", unique_id=0xAA22, rank=0),
    Card(2, "C", unique_id=0xBB33, rank=1),
]
"""amd-smi lists A, B, C; ROCm counts B, C, A."""


def shown(cards: list[Card] = CARDS, **environment: str) -> str:
    """The names of the visible cards."""
    return "".join(card.name for card in visible(cards, environment))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, "BCA"),
        ("", ""),
        ("0", "B"),
        ("2,0", "AB"),
        (" 1 , 2 ", "CA"),
        ("0,9,1", "B"),
        ("1,1,0", "C"),
        ("-1", ""),
        ("0x1", ""),
        ("GPU-000000000000aa11", "A"),
        ("gpu-000000000000AA1", "A"),
        ("GPU-000000000000aa", ""),
        ("GPU-", ""),
        ("GPU-deadbeef,0", ""),
        ("GPU-000000000000bb33,0", "CB"),
        ("٣", ""),
    ],
)
def test_the_runtimes_variable(value: str | None, names: str) -> None:
    environment = {} if value is None else {"ROCR_VISIBLE_DEVICES": value}
    assert shown(**environment) == names


def test_hips_variable_counts_what_the_runtimes_left() -> None:
    assert shown(ROCR_VISIBLE_DEVICES="1,2", HIP_VISIBLE_DEVICES="1") == "A"
    assert shown(ROCR_VISIBLE_DEVICES="1,2", HIP_VISIBLE_DEVICES="2") == ""


def test_hips_own_name_goes_before_cudas() -> None:
    assert shown(HIP_VISIBLE_DEVICES="1", CUDA_VISIBLE_DEVICES="0") == "C"
    assert shown(CUDA_VISIBLE_DEVICES="0") == "B"


def test_without_ranks_the_tools_order_counts() -> None:
    cards = [Card(0, "A"), Card(1, "B", rank=0)]
    assert shown(cards, ROCR_VISIBLE_DEVICES="1") == "B"


@given(st.text(alphabet="0123,-GPUgpu ab", max_size=20), st.text(alphabet="0123,- ", max_size=9))
def test_nothing_appears_twice_or_from_nowhere(rocr: str, hip: str) -> None:
    found = visible(CARDS, {"ROCR_VISIBLE_DEVICES": rocr, "HIP_VISIBLE_DEVICES": hip})
    assert len({card.index for card in found}) == len(found)
    assert set(found) <= set(CARDS)


def test_a_worker_is_pinned_by_id_and_the_device_is_hips_first() -> None:
    assert pin(CARDS[0], CARDS) == "GPU-000000000000aa11"
    assert pinned("GPU-000000000000aa11") == {
        "ROCR_VISIBLE_DEVICES": "GPU-000000000000aa11",
        "HIP_VISIBLE_DEVICES": "0",
        "CUDA_VISIBLE_DEVICES": "0",
        "GPU_DEVICE_ORDINAL": "0",
    }


def test_partitions_share_their_id_so_they_are_pinned_by_rank() -> None:
    parts = [Card(0, unique_id=7, rank=1), Card(1, unique_id=7, rank=0), Card(2), Card(3, unique_id=0)]
    assert [pin(card, parts) for card in parts] == ["1", "0", None, None]


@pytest.mark.parametrize(("card", "rank"), [(card, card.rank) for card in CARDS])
def test_a_pin_leaves_just_that_card(card: Card, rank: int) -> None:
    for value in (pin(card, CARDS), str(rank)):
        assert shown(**pinned(value or "")) == card.name


@pytest.mark.parametrize(
    ("arch", "environment", "ambiguous"),
    [
        ("gfx1100", {"HIP_VISIBLE_DEVICES": "0"}, True),
        ("gfx1100", {"CUDA_VISIBLE_DEVICES": "0"}, True),
        ("gfx1100", {"ROCR_VISIBLE_DEVICES": "0"}, False),
        ("gfx1100", {}, False),
        ("gfx942", {"HIP_VISIBLE_DEVICES": "0"}, False),
    ],
)
def test_hips_indices_are_ambiguous_where_cards_differ(
    arch: str, environment: dict[str, str], ambiguous: bool
) -> None:
    assert is_ambiguous([Card(0, arch="gfx942"), Card(1, arch=arch)], environment) is ambiguous
