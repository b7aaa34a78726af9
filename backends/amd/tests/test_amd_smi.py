"""What amd-smi prints: JSON in two shapes, text, and everything that is neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kgb_backend_amd import amd_smi
from kgb_backend_amd.amd_smi import parse_json, parse_text
from kgb_backend_amd.cards import Card
from kgb_backend_amd.records import card_of
from kgb_backend_amd.text import first_line

if TYPE_CHECKING:
    from conftest import Site

Read = Callable[[str], str]


def cards(records: list[dict[str, object]]) -> list[Card]:
    """The cards of some records."""
    return [card_of(record) for record in records]


def test_json_as_a_list(data: Read) -> None:
    (card,) = cards(parse_json(data("recorded_strix_halo_static.json")))
    assert (card.index, card.arch, card.compute_units) == (0, "gfx1151", 40)
    assert card.title.startswith("Strix Halo [Radeon Graphics")
    assert (card.pci_vendor, card.pci_device, card.pci_bus_id) == (0x1002, 0x1586, "0000:c4:00.0")
    assert (card.memory_bytes, card.cache_bytes) == (32 * 2**30, 32 * 2**20)
    assert (card.uuid, card.driver, card.is_ours) == (None, "6.17.1-300.fc43.x86_64", True)


def test_json_under_gpu_data(data: Read) -> None:
    first, second = cards(parse_json(data("hand_made_mi300x_static.json")))
    assert (first.title, first.arch, first.memory_bytes) == ("AMD Instinct MI300X", "gfx942", 196592 * 2**20)
    assert (first.uuid, second.uuid) == ("GPU-00000000000000a0", "GPU-00000000000000a1")
    assert (second.index, second.pci_bus_id, second.driver) == (1, "0000:03:00.0", "6.19.14")


def test_text(data: Read) -> None:
    (card,) = cards(parse_text(data("recorded_mi350x_static.txt")))
    assert (card.title, card.arch, card.compute_units) == ("AMD Instinct MI350X", "gfx950", 128)
    assert (card.pci_device, card.pci_bus_id, card.driver) == (0x75A0, "0000:05:00.0", "6.18.3")
    assert (card.uuid, card.memory_bytes) == (None, None)


def test_text_of_an_older_version(data: Read) -> None:
    (card,) = cards(parse_text(data("recorded_phoenix_static.txt")))
    assert (card.title, card.arch, card.compute_units, card.is_ours) == ("Phoenix3", None, None, True)


def test_blocks_that_are_no_gpu_are_left_out(data: Read) -> None:
    found = cards(parse_text(data("hand_made_with_nic.txt")))
    assert [(card.index, card.title, card.memory_bytes) for card in found] == [
        (0, "AMD Instinct MI300X", 196592 * 2**20),
        (1, "AMD Instinct MI300X", 196592 * 2**20),
    ]


@pytest.mark.parametrize("name", ["recorded_strix_halo_static.json", "recorded_mi350x_static.txt"])
def test_colours_and_windows_line_ends(data: Read, name: str) -> None:
    parse = parse_json if name.endswith("json") else parse_text
    text = data(name)
    dressed = "\ufeff" + "".join(f"\x1b[1;32m{line}\x1b[0m\r\n" for line in text.splitlines())
    assert parse(dressed) == parse(text) != []


def test_values_of_any_type_are_unknown_not_an_error() -> None:
    odd = {"gpu": 1, "asic": ["x"], "bus": "N/A", "vram": {"size": {"value": {}, "unit": []}}, "driver": 3}
    assert cards(parse_json(f"[{json.dumps(odd)}]")) == [Card(1)]


@pytest.mark.parametrize("index", ["-1", "true", "null", '"x"', "1.5", "1e999", "{}", "99999999999999999999"])
def test_a_gpu_without_a_number_is_left_out(index: str) -> None:
    assert parse_json(f'[{{"gpu": {index}}}]') == []


@pytest.mark.parametrize("name", ["hand_made_mi300x_static.json", "recorded_strix_halo_static.json"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_json_that_is_cut_off_lists_nothing(data: Read, name: str, share: float) -> None:
    text = data(name)
    assert parse_json(text[: int(len(text) * share)]) == []


def test_text_that_is_cut_off_gives_what_is_there(data: Read) -> None:
    text = data("recorded_mi350x_static.txt")
    (card,) = cards(parse_text(text[: text.index("NUM_COMPUTE")]))
    assert (card.title, card.arch, card.driver) == ("AMD Instinct MI350X", None, None)


def test_brackets_without_end_are_no_json() -> None:
    assert parse_json("[" * 100_000) == []
    assert parse_json('{"gpu_data":' * 100_000) == []


def test_the_tool_is_asked_for_everything(site: Site) -> None:
    site.two_mi300x()
    answer = amd_smi.read(site.machine)
    assert [(card.index, card.node) for card in answer.cards] == [(0, 3), (1, 2)]
    assert (answer.problem, answer.driver) == ("", "6.19.14")


def test_text_is_read_where_json_is_broken(site: Site) -> None:
    site.tool("amd-smi", {"--json": '[{"gpu": 0, "as', "static": "recorded_mi350x_static.txt"})
    assert [card.title for card in amd_smi.read(site.machine).cards] == ["AMD Instinct MI350X"]


def test_a_tool_that_lies_outside_path_is_found(site: Site) -> None:
    site.tool("amd-smi", {"static": "recorded_strix_halo_static.json"}, folder=site.machine.rocm / "bin")
    assert len(amd_smi.read(site.machine).cards) == 1


def test_a_good_answer_with_a_bad_exit_code_counts(site: Site) -> None:
    site.tool("amd-smi", {"--json": "recorded_strix_halo_static.json"}, rc=1)
    assert len(amd_smi.read(site.machine).cards) == 1


def test_a_card_that_is_printed_twice_is_one(site: Site) -> None:
    site.tool("amd-smi", {"--json": json.dumps([{"gpu": 0, "bdf": "a"}, {"gpu": 0, "bdf": "b"}, {"gpu": 1}])})
    assert [card.pci_bus_id for card in amd_smi.read(site.machine).cards] == ["a", None]


DRIVER_MISSING = "ERROR:root:Unable to detect any GPU devices, check amdgpu version and module status"


@pytest.mark.parametrize("rc", [0, 255])
@pytest.mark.parametrize("said", [DRIVER_MISSING, "错误: 未找到设备", "\x1b[31mno device\x1b[0m\r\n"])
def test_an_error_sentence_is_quoted(site: Site, said: str, rc: int) -> None:
    site.tool("amd-smi", {"static": said}, rc=rc)
    answer = amd_smi.read(site.machine)
    assert answer.cards == ()
    assert first_line(said) in answer.problem
    assert "\x1b" not in answer.problem
    assert "lists no GPU" in answer.problem or "ended with 255" in answer.problem


@pytest.mark.parametrize("said", ["", "\n\n", "[]", "{}", '{"gpu_data": []}'])
def test_a_tool_that_lists_nothing_says_so(site: Site, said: str) -> None:
    site.tool("amd-smi", {"static": said})
    assert amd_smi.read(site.machine).problem.startswith("amd-smi lists no GPU")


def test_a_missing_tool_is_told(site: Site) -> None:
    assert amd_smi.read(site.machine).problem == "amd-smi not found"
