"""What rocm-smi prints, in either case of its keys, from AMD's and from Hygon's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kgb_backend_amd import rocm_smi
from kgb_backend_amd.cards import Card, arch_of
from kgb_backend_amd.rocm_smi import parse

if TYPE_CHECKING:
    from conftest import Site

Read = Callable[[str], str]


def test_a_card_without_a_product_of_ours(data: Read) -> None:
    (card,) = parse(data("recorded_rx7900xt.json"))
    assert (card.index, card.title, card.arch, card.pci_device) == (0, "Radeon RX 7900 XT", "gfx1100", 0x744C)
    assert (card.memory_bytes, card.is_ours) == (21458059264, True)


def test_a_product_is_known_by_its_id_and_its_odd_architecture(data: Read) -> None:
    (card,) = parse(data("recorded_mi250x.json"))
    assert (card.title, card.arch) == ("AMD Instinct MI250X", "gfx90a")


def test_all_facts_may_be_missing(data: Read) -> None:
    (card,) = parse(data("recorded_780m.json"))
    assert (card.title, card.arch, card.memory_bytes, card.uuid) == ("Phoenix3", None, None, None)
    assert card.pci_bus_id == "0000:C4:00.0"


def test_keys_in_the_case_of_older_versions(data: Read) -> None:
    first, second = parse(data("hand_made_mi200_old_keys.json"))
    assert (first.title, first.vendor) == ("AMD Instinct MI250X", "Advanced Micro Devices, Inc. [AMD/ATI]")
    assert (first.uuid, second.uuid) == ("GPU-00000000000000b0", "GPU-00000000000000b1")
    assert (second.index, second.driver, second.memory_bytes) == (1, "6.3.6", 68702699520)


def test_a_warning_before_the_json_is_passed_over(data: Read) -> None:
    (card,) = parse(data("hand_made_warning.json"))
    assert (card.title, card.driver) == ("AMD Instinct MI300X", "6.10.5")


def test_hygons_cards_are_not_ours(data: Read) -> None:
    (card,) = parse(data("hand_made_hygon.json"))
    assert card.name == "DCU K100_AI"
    assert not card.is_ours


@pytest.mark.parametrize(
    ("text", "arch"),
    [
        ("gfx942:sramecc+:xnack-", "gfx942"),
        ("GFX90A", "gfx90a"),
        ("gfx9010", "gfx90a"),
        ("gfx11001", "gfx1101"),
        ("gfx1100", "gfx1100"),
        ("gfx9099", None),
        ("gfx", None),
        ("N/A", None),
        (None, None),
    ],
)
def test_architectures_in_all_spellings(text: str | None, arch: str | None) -> None:
    assert arch_of(text) == arch


@pytest.mark.parametrize(
    ("card", "ours"),
    [
        (Card(0, "anything", pci_vendor=0x1002), True),
        (Card(0, "AMD Instinct MI300X", pci_vendor=0x1D94), False),
        (Card(0, "AMD Instinct MI300X"), True),
        (Card(0, "", vendor="Advanced Micro Devices, Inc. [AMD/ATI]"), True),
        (Card(0, "K100_AI", vendor="HYGON"), False),
        (Card(0, "AMD compatible HCU"), False),
        (Card(0, ""), False),
    ],
)
def test_whose_card_it_is(card: Card, ours: bool) -> None:
    assert card.is_ours is ours


def test_the_tool_is_asked(site: Site) -> None:
    site.tool("rocm-smi", {"--json": "recorded_rx7900xt.json"})
    answer = rocm_smi.read(site.machine)
    assert ([card.title for card in answer.cards], answer.problem) == (["Radeon RX 7900 XT"], "")


@pytest.mark.parametrize(
    ("said", "rc", "problem"),
    [
        ("WARNING: No JSON data to report", 0, "rocm-smi lists no GPU: WARNING: No JSON data to report"),
        ("", 0, "rocm-smi lists no GPU"),
        ('{"card0": {"Card Se', 0, 'rocm-smi printed JSON that is cut off or damaged: {"card0": {"Card Se'),
        ("cannot open shared object file", 1, "ended with 1: cannot open shared object file"),
        ('["card0"]', 0, "rocm-smi lists no GPU"),
        ('{"card0": "N/A", "cardX": {}}', 0, "rocm-smi lists no GPU"),
    ],
)
def test_what_is_no_list_is_quoted(site: Site, said: str, rc: int, problem: str) -> None:
    site.tool("rocm-smi", {"--json": said}, rc=rc)
    answer = rocm_smi.read(site.machine)
    assert answer.cards == ()
    assert problem in answer.problem
