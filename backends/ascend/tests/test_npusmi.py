"""The text of npu-smi, with all that real machines put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_ascend import npusmi
from kgb_backend_ascend.cards import devices_of
from kgb_backend_ascend.npusmi import parse_info, parse_mapping, parse_npu_name
from kgb_core.plugins.answers import devices as checked_devices
from kgb_core.plugins.tools import ToolOutput

MIB = 2**20
NOISE = "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\n"
TABLES = (
    "recorded_910b3_rows.txt",
    "recorded_910b4-1.txt",
    "recorded_a3_24.1.rc3.7.txt",
    "recorded_a3_26.0.rc2.txt",
    "recorded_310p3_duo.txt",
    "recorded_310p3_busy.txt",
    "hand_made_a2_warning.txt",
    "hand_made_910a.txt",
)


def test_one_chip_to_a_card(data: Callable[[str], str]) -> None:
    found = parse_info(data("recorded_910b3_rows.txt"))
    assert found.problem == ""
    assert [(card.npu, card.chip, card.index) for card in found.cards] == [(n, 0, n) for n in range(4)]
    first = found.cards[0]
    assert (first.name, first.health, first.pci_bus_id) == ("910B3", "OK", "0000:C1:00.0")
    assert first.memory_bytes == 65536 * MIB


def test_a_blotted_bus_is_unknown(data: Callable[[str], str]) -> None:
    found = parse_info(data("recorded_910b4-1.txt"))
    assert [(card.name, card.pci_bus_id, card.driver) for card in found.cards] == [
        ("910B4-1", None, "25.2.0")
    ] * 2


@pytest.mark.parametrize("name", ["recorded_a3_24.1.rc3.7.txt", "recorded_a3_26.0.rc2.txt"])
def test_two_chips_to_a_card(data: Callable[[str], str], name: str) -> None:
    found = parse_info(data(name)).cards[:2]
    assert [(card.npu, card.chip, card.index) for card in found] == [(0, 0, 0), (0, 1, 1)]
    assert [card.pci_bus_id for card in found] == ["0000:9D:00.0", "0000:9F:00.0"]
    assert {card.memory_bytes for card in found} == {65536 * MIB}


def test_a_table_that_ends_in_a_record_keeps_what_it_says(data: Callable[[str], str]) -> None:
    card = parse_info(data("recorded_a3_24.1.rc3.7.txt")).cards[2]
    assert (card.npu, card.chip, card.pci_bus_id, card.memory_bytes) == (1, 0, "0000:99:00.0", None)


def test_boards_without_hbm_have_the_other_memory(data: Callable[[str], str]) -> None:
    one, other = parse_info(data("recorded_310p3_duo.txt")).cards
    assert (one.npu, one.chip, one.memory_bytes) == (8, 0, 44280 * MIB)
    assert (other.npu, other.chip, other.memory_bytes) == (8, 1, 43693 * MIB)
    assert one.pci_bus_id == other.pci_bus_id


def test_card_numbers_may_jump_and_blanks_be_missing(data: Callable[[str], str]) -> None:
    found = parse_info(data("recorded_310p3_busy.txt")).cards
    assert [(card.npu, card.index, card.memory_bytes) for card in found] == [
        (0, 0, 21527 * MIB),
        (32, 1, 21527 * MIB),
        (32768, 2, 21527 * MIB),
    ]


def test_of_two_memories_the_last_counts(data: Callable[[str], str]) -> None:
    (card,) = parse_info(data("hand_made_910a.txt")).cards
    assert (card.product, card.memory_bytes) == ("Ascend 910B", 32768 * MIB)


def test_a_health_other_than_ok_is_a_state(data: Callable[[str], str]) -> None:
    devices = devices_of(parse_info(data("hand_made_a2_warning.txt")).cards)
    assert [device.state for device in devices] == [None, "health Warning"]


def test_the_list_of_processes_is_no_list_of_chips(data: Callable[[str], str]) -> None:
    assert len(parse_info(data("hand_made_a2_warning.txt")).cards) == 2


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "garble",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\x1b[1;32m" + text.replace("OK", "\x1b[0mOK\x1b[1m") + "\x1b[0m",
        lambda text: NOISE + text,
        lambda text: text + text,
        lambda text: "\n".join("  " + line for line in text.splitlines()),
    ],
    ids=["CRLF", "colours", "preamble", "twice", "indented"],
)
def test_a_table_is_read_whatever_is_around_it(
    data: Callable[[str], str], name: str, garble: Callable[[str], str]
) -> None:
    assert parse_info(garble(data(name))) == parse_info(data(name))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "npu-smi printed nothing"),
        (" \r\n \n", "npu-smi printed nothing"),
        (NOISE, "npu-smi printed nothing"),
        (
            NOISE + "dcmi module initialize failed. ret is -8005\n",
            "npu-smi lists no NPU: dcmi module initialize failed. ret is -8005",
        ),
        (
            "错误: 无法初始化驱动模块 -8005",
            "npu-smi lists no NPU: 错误: 无法初始化驱动模块 -8005",
        ),
        ("\x1b[31mError: no device found\x1b[0m\r\n", "npu-smi lists no NPU: Error: no device found"),
        ("Usage: npu-smi info\n", "npu-smi lists no NPU: Usage: npu-smi info"),
    ],
)
def test_text_that_lists_nothing_gives_a_reason(text: str, problem: str) -> None:
    found = parse_info(text)
    assert (found.cards, found.problem) == ((), problem)


def test_a_header_alone_lists_nothing(data: Callable[[str], str]) -> None:
    header = "\n".join(data("recorded_910b4-1.txt").splitlines()[:6])
    found = parse_info(header)
    assert (found.cards, found.driver, found.problem) == ((), "25.2.0", "npu-smi lists no NPU")


@pytest.mark.parametrize(
    "rows", ["| {0}  910B3 | OK | 1 |\n| 0 | NA | 1 / 1 |", "| 0 910B3 | OK | 1 |\n| 0 | NA | 1 / {0} |"]
)
def test_a_number_that_no_machine_has_is_no_error(rows: str) -> None:
    found = parse_info(rows.format("9" * 5000))
    assert all(card.memory_bytes is None for card in found.cards)
    assert bool(found.cards) != bool(found.problem)


def test_rows_without_a_word_of_the_vendor_are_not_ours() -> None:
    found = parse_info("| 0 X1 | OK | 1 |\n| 0 | 0000:C1:00.0 | 1 / 2 |\n")
    assert (found.cards, found.problem) == ((), "npu-smi says nothing of Ascend")


def test_logical_ids_come_from_the_mapping(data: Callable[[str], str]) -> None:
    assert parse_mapping(data("recorded_mapping_910b3.txt")) == {(3, 0): 0, (4, 0): 1}
    assert parse_mapping(data("hand_made_mapping_a3.txt")) == {(0, 0): 0, (0, 1): 1, (1, 0): 2}


@pytest.mark.parametrize(
    "text", ["", "NPU ID  Chip ID", "3  0  0  Ascend 910B3", "dcmi module initialize failed"]
)
def test_without_a_mapping_there_are_no_logical_ids(text: str) -> None:
    assert parse_mapping(text) == {}


def test_only_an_a3_has_a_second_name(data: Callable[[str], str]) -> None:
    assert parse_npu_name(data("recorded_board_a3.txt").replace("\n", "\r\n")) == "9392"
    assert parse_npu_name(data("recorded_board_a2.txt")) is None


def test_the_mapping_numbers_what_the_table_lists(smi_tool: Callable[..., None]) -> None:
    smi_tool(info="hand_made_a2_warning.txt", mapping="recorded_mapping_910b3.txt")
    assert [(card.npu, card.index) for card in npusmi.read().cards] == [(3, 0), (4, 1)]


def test_an_a3_is_asked_for_its_second_name(smi_tool: Callable[..., None]) -> None:
    smi_tool("recorded_a3_26.0.rc2.txt", "hand_made_mapping_a3.txt", "recorded_board_a3.txt")
    assert [card.product for card in npusmi.read().cards] == ["Ascend 910_9392"] * 2


@pytest.mark.parametrize("rc", [0, 255])
def test_an_error_is_quoted_whatever_the_exit_code(smi_tool: Callable[..., None], rc: int) -> None:
    smi_tool(info="recorded_device_used.txt", rc=rc)
    assert "because the device is used. ret is -8020" in npusmi.read().problem


def test_a_silent_failure_is_told(smi_tool: Callable[..., None]) -> None:
    smi_tool(rc=2)
    assert npusmi.read().problem == "npu-smi ended with 2"


def test_without_the_tool_the_reason_names_it(smi_tool: Callable[..., None]) -> None:
    smi_tool(name="another-tool")
    assert npusmi.read().problem == "npu-smi not found"


LINES = st.sampled_from(
    [
        "| 0     910B3 | OK | 98.4 50 0 / 0 |",
        "| 0     Ascend910 | Critical | - 36 0 / 0 |",
        "| 0     0 | 0000:9D:00.0 | 0 0 / 0 3397 / 65536 |",
        "| 1 | NA | 0 |",
        "+=====+",
        "| 0 0 | 12 | python | 3 |",
        "3  0  0  Ascend 910B3",
        "NPU ID  Chip ID  Chip Logic ID  Chip Name",
        "NPU Name : 9392",
        "npu-smi 25.2.0 Version: 25.2.0",
    ]
)


@given(st.lists(st.one_of(LINES, st.text(max_size=40)), max_size=12), st.integers(0, 3))
def test_no_text_makes_discovery_raise(parts: list[str], rc: int) -> None:
    text = "\n".join(parts)

    def ask(command: Sequence[str]) -> ToolOutput:
        assert command[0] == "npu-smi"
        return ToolOutput(text, f"ended with {rc}" if rc else "")

    found = npusmi.read(ask)
    assert bool(found.cards) != bool(found.problem)
    assert "\n" not in found.problem
    checked_devices(devices_of(found.cards))
