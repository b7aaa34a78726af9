"""The text of ixsmi: a query as CSV in two dialects, the box, and everything that is neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kgb_backend_iluvatar import smi
from kgb_backend_iluvatar.smi import FIELDS, parse_box, parse_header, parse_query
from kgb_backend_iluvatar.text import first_line

if TYPE_CHECKING:
    from conftest import Site

Read = Callable[[str], str]
OLD_FIELDS = ("index", "name", "uuid", "memory.total", "gpu_bus_id")


def test_a_query_on_4x(data: Read) -> None:
    first, second = parse_query(data("hand_made_4x.csv"), FIELDS)
    assert (first.index, first.title, first.arch) == (0, "Iluvatar BI-V150", "ivcore11")
    assert (first.pci_vendor, first.pci_bus_id, first.memory_bytes) == (0x1E3E, "00000000:13:00.0", 2**35)
    assert (second.index, second.uuid) == (1, "GPU-00000000-0000-0000-0000-0000000000d1")


def test_a_query_on_3x(data: Read) -> None:
    (card,) = parse_query(data("hand_made_3x.csv"), OLD_FIELDS)
    assert (card.title, card.arch, card.pci_bus_id) == ("Iluvatar BI-V100", "ivcore10", "00000000:98:00.0")
    assert (card.pci_vendor, card.is_ours) == (None, True)


@pytest.mark.parametrize(
    ("name", "power", "title"),
    [
        ("hand_made_4x_power.csv", "gpu.power.draw", "Iluvatar MR-V100"),
        ("hand_made_3x_power.csv", "power.draw", "Iluvatar BI-V100"),
    ],
)
def test_units_names_and_other_fields_do_no_harm(data: Read, name: str, power: str, title: str) -> None:
    (card,) = parse_query(data(name), ("index", "name", power, "memory.total", "gpu_serial"))
    assert (card.title, card.memory_bytes) == (title, 2**35)


def test_the_box_of_3x(data: Read) -> None:
    (card,) = parse_box(data("recorded_bi_v100_box.txt"))
    assert (card.index, card.title, card.pci_bus_id) == (0, "Iluvatar BI-V100", "00000000:98:00.0")
    assert (card.memory_bytes, card.arch, card.uuid) == (2**35, "ivcore10", None)


def test_the_box_of_4x(data: Read) -> None:
    cards = parse_box(data("recorded_bi_v150_box.txt"))
    assert [(card.index, card.title, card.memory_bytes) for card in cards] == [
        (index, "Iluvatar BI-V150", 2**35) for index in range(3)
    ]


def test_versions_above_the_box(data: Read) -> None:
    told = parse_header(data("recorded_bi_v150_box.txt"))
    assert (told.ixml, told.driver, told.cuda, told.is_mismatched) == ("4.1.0", "4.1.0", "10.2", False)


def test_a_corex_that_does_not_fit_its_driver(data: Read) -> None:
    told = parse_header(data("recorded_bi_v150s_box.txt"))
    assert (told.ixml, told.driver, told.cuda, told.is_mismatched) == ("4.0.0", "4.1.0", None, True)
    (card,) = parse_box(data("recorded_bi_v150s_box.txt"))
    assert (card.title, card.arch) == ("Iluvatar BI-V150S", "ivcore11")


def test_without_a_header_nothing_is_known_to_be_wrong() -> None:
    assert not parse_header("").is_mismatched


def dressed(text: str) -> str:
    """A text as a coloured terminal of another system has it."""
    return "\ufeff" + "".join(f"\x1b[1;32m{line}\x1b[0m\r\n" for line in text.splitlines())


@pytest.mark.parametrize("name", ["recorded_bi_v100_box.txt", "recorded_bi_v150_box.txt"])
def test_colours_and_windows_line_ends_in_the_box(data: Read, name: str) -> None:
    text = data(name)
    assert parse_box(dressed(text)) == parse_box(text) != []
    assert parse_header(dressed(text)) == parse_header(text)


def test_colours_and_windows_line_ends_in_a_query(data: Read) -> None:
    text = data("hand_made_4x.csv")
    assert parse_query(dressed(text), FIELDS) == parse_query(text, FIELDS) != []


def test_a_box_that_is_cut_off_gives_what_is_there(data: Read) -> None:
    text = data("recorded_bi_v150_box.txt")
    cards = parse_box(text[: text.index("| 0%   30C")])
    assert [(card.index, card.memory_bytes) for card in cards] == [(0, 2**35), (1, None)]


def test_a_query_that_is_cut_off_gives_whole_lines(data: Read) -> None:
    text = data("hand_made_4x.csv")
    assert [card.index for card in parse_query(text[:-20], FIELDS)] == [0]


@pytest.mark.parametrize(
    "text", ["", "\n", "No supported GPUs found\n", "index, name\n", "-1, a, b, c, d, e\n"]
)
def test_text_that_lists_nothing(text: str) -> None:
    assert parse_query(text, FIELDS) == []
    assert parse_box(text) == []


def test_the_tool_is_asked_for_cards_and_versions(site: Site) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    answer = smi.read(site.machine)
    assert [card.uuid is not None for card in answer.cards] == [True, True]
    assert (answer.driver, answer.ixml, answer.cuda, answer.problem) == ("4.1.0", "4.1.0", "10.2", "")
    assert {card.driver for card in answer.cards} == {"4.1.0"}


REFUSAL = 'Field "{}" is not a valid field to query.'


@pytest.mark.parametrize("stream", [1, 2])
def test_a_version_without_some_fields_is_asked_again(site: Site, stream: int) -> None:
    program = site.tools / "ixsmi"
    refuse = "\n".join(
        f"*{field}*) echo '{REFUSAL.format(field)}' >&{stream}; exit {stream - 1};;"
        for field in ("pci.device_id", "pci.bus_id")
    )
    good = "0, Iluvatar BI-V100, GPU-e0, 32768, 00000000:98:00.0"
    program.write_text(f"#!/bin/sh\ncase \"$*\" in\n{refuse}\n*gpu_bus_id*) echo '{good}';;\nesac\n")
    program.chmod(0o755)
    (card,) = smi.read(site.machine).cards
    assert (card.uuid, card.pci_bus_id, card.pci_vendor) == ("GPU-e0", "00000000:98:00.0", None)


def test_a_version_that_refuses_everything_is_read_by_its_box(site: Site) -> None:
    site.ixsmi(REFUSAL.format("pci.bus_id"), "recorded_bi_v100_box.txt")
    assert [card.title for card in smi.read(site.machine).cards] == ["Iluvatar BI-V100"]


def test_a_complaint_that_names_no_field_ends_the_questions(site: Site) -> None:
    site.ixsmi("That is not a valid field name.", "recorded_bi_v100_box.txt")
    assert len(smi.read(site.machine).cards) == 1


def test_a_tool_that_lies_outside_path_is_found(site: Site) -> None:
    site.tool("ixsmi", {"": "recorded_bi_v100_box.txt"}, folder=site.machine.corex / "bin")
    assert len(smi.read(site.machine).cards) == 1


def test_a_good_answer_with_a_bad_exit_code_counts(site: Site) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt", rc=1)
    assert len(smi.read(site.machine).cards) == 2


def test_a_card_that_is_printed_twice_is_one(site: Site, data: Read) -> None:
    site.ixsmi(data("hand_made_4x.csv") * 2)
    assert [card.index for card in smi.read(site.machine).cards] == [0, 1]


@pytest.mark.parametrize("rc", [0, 127])
@pytest.mark.parametrize(
    "said",
    [
        "No supported GPUs found",
        "ixsmi: error while loading shared libraries: libixml.so: cannot open shared object file",
        "错误: 未找到设备",
        "\x1b[31mfailed to initialize\x1b[0m\r\n",
    ],
)
def test_an_error_sentence_is_quoted(site: Site, said: str, rc: int) -> None:
    site.ixsmi(said, said, rc=rc)
    answer = smi.read(site.machine)
    assert answer.cards == ()
    assert first_line(said) in answer.problem
    assert "\x1b" not in answer.problem


def test_a_tool_that_says_nothing_lists_no_gpu(site: Site) -> None:
    site.ixsmi()
    assert smi.read(site.machine).problem == "ixsmi lists no GPU"


def test_a_missing_tool_is_told(site: Site) -> None:
    assert smi.read(site.machine).problem == "ixsmi not found"
