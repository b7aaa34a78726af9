"""The text of nvidia-smi, with all that real machines put into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_nvidia import smi
from kgb_backend_nvidia.cards import NO_INSTANCE, PROHIBITED, devices_of
from kgb_backend_nvidia.smi import FIELDS, NEWER_FIELDS, parse_instances, parse_query

ALL = FIELDS + NEWER_FIELDS


def test_several_gpus_with_missing_fields(data: Callable[[str], str]) -> None:
    h200, gb10, v100, a100 = parse_query(data("hand_made_several.csv"), ALL)
    assert (h200.gpu, h200.name, h200.arch, h200.driver) == (0, "NVIDIA H200", "sm90", "570.00.00")
    assert h200.uuid == "GPU-00000000-0000-0000-0000-000000000001"
    assert (h200.pci_bus_id, h200.pci_vendor) == ("00000000:19:00.0", 0x10DE)
    assert h200.memory_bytes == 143771 * 2**20
    assert (gb10.memory_bytes, gb10.arch, gb10.problem) == (None, "sm121", None)
    assert (v100.pci_vendor, v100.problem, v100.is_ours) == (None, PROHIBITED, True)
    assert (a100.arch, a100.memory_bytes, a100.problem) == (None, None, None)


def test_windows_line_ends(data: Callable[[str], str]) -> None:
    text = data("hand_made_several.csv")
    assert parse_query(text.replace("\n", "\r\n"), ALL) == parse_query(text, ALL)


@pytest.mark.parametrize("text", ["", "\n", "No devices were found\n", "0\n", "index, name\n"])
def test_text_that_lists_nothing(text: str) -> None:
    assert parse_query(text, ALL) == []


def test_an_error_beside_a_good_line_costs_only_its_own(data: Callable[[str], str]) -> None:
    lost = "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.\n"
    text = data("hand_made_several.csv")
    assert parse_query(lost + text + lost, ALL) == parse_query(text, ALL)


def test_a_gpu_that_is_listed_twice_counts_once(data: Callable[[str], str]) -> None:
    text = data("hand_made_several.csv")
    assert parse_query(text + text.replace("570.00.00", "1.0"), ALL) == parse_query(text, ALL)


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    assert all(card.gpu >= 0 for card in parse_query(text, FIELDS))
    assert parse_instances(text, []) == []


def test_instances_stand_for_their_gpu(data: Callable[[str], str]) -> None:
    gpus = parse_query(data("hand_made_mig.csv"), ALL)
    cards = parse_instances(data("hand_made_mig_list.txt"), gpus)
    assert [(card.gpu, card.name, card.problem) for card in cards] == [
        (0, "NVIDIA A100-SXM4-40GB MIG 3g.20gb", None),
        (0, "NVIDIA A100-SXM4-40GB MIG 1g.5gb", None),
        (1, "NVIDIA A100-SXM4-40GB", None),
        (2, "NVIDIA A100-SXM4-40GB", NO_INSTANCE),
    ]
    assert cards[0].uuid == "MIG-00000000-0000-0000-0000-0000000000a0"
    assert cards[0].memory_bytes is None
    assert [device.index for device in devices_of(cards)] == [0, 1, 2, 3]
    assert devices_of(cards)[0].visibility_id == cards[0].uuid


def test_instances_in_the_older_form(data: Callable[[str], str]) -> None:
    (gpu, *_) = parse_query(data("hand_made_mig.csv"), ALL)
    (card,) = parse_instances(data("hand_made_mig_list_old.txt"), [gpu])
    assert card.uuid == "MIG-GPU-00000000-0000-0000-0000-00000000000a/1/0"


def test_the_tool_is_asked_for_everything(smi_tool: Callable[..., None]) -> None:
    smi_tool(query="hand_made_mig.csv", listing="hand_made_mig_list.txt", header="hand_made_header.txt")
    answer = smi.read()
    assert (len(answer.cards), answer.driver, answer.cuda, answer.problem) == (4, "535.00.00", "12.8", "")


def test_an_older_tool_is_asked_again(smi_tool: Callable[..., None]) -> None:
    smi_tool(query="hand_made_old.csv", old=True)
    answer = smi.read()
    assert [card.name for card in answer.cards] == ["TITAN Xp"]
    assert answer.cards[0].arch is None
    assert answer.cards[0].is_ours


@pytest.mark.parametrize("rc", [0, 9])
def test_a_tool_without_a_driver_is_quoted(smi_tool: Callable[..., None], rc: int) -> None:
    smi_tool(query="hand_made_error.txt", rc=rc)
    answer = smi.read()
    assert answer.cards == ()
    assert "couldn't communicate with the NVIDIA driver" in answer.problem


def test_a_tool_that_says_nothing_lists_no_gpu(smi_tool: Callable[..., None]) -> None:
    smi_tool()
    assert smi.read().problem == "it lists no GPU"


def test_what_an_h200_really_said(smi_tool: Callable[..., None]) -> None:
    smi_tool("recorded_h200.csv", listing="recorded_h200_list.txt", header="recorded_h200_header.txt")
    answer = smi.read()
    (card,) = answer.cards
    assert (card.name, card.arch, card.driver, answer.cuda) == ("NVIDIA H200", "sm90", "580.159.04", "13.0")
    assert (card.memory_bytes, card.pci_vendor, card.problem) == (150754820096, 0x10DE, None)
    assert card.uuid == "GPU-00000000-0000-0000-0000-0000000000c0"
