"""The text of mx-smi, in all its layouts, with all that real machines put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_metax import mxsmi
from kgb_backend_metax.cards import devices_of
from kgb_backend_metax.mxsmi import joined, parse_list, parse_table
from kgb_backend_metax.reading import Reading
from kgb_core.plugins.answers import devices as checked_devices
from kgb_core.plugins.tools import ToolOutput

GIB = 2**30
TABLES = (
    "recorded_c550_2.1.6.txt",
    "recorded_c500_2.1.12.txt",
    "recorded_c550_2.1.12_container.txt",
    "recorded_c500_2.2.4.txt",
    "recorded_c500_2.2.6.txt",
    "recorded_c500_2.2.9.txt",
    "recorded_c500_2.3.1.txt",
    "hand_made_mixed.txt",
)
LISTS = ("recorded_list_2.2.9.txt", "recorded_list_old.txt", "hand_made_mixed_list.txt")


@pytest.mark.parametrize(
    ("name", "driver", "maca", "cards"),
    [
        (TABLES[0], "2.5.014", "2.23.0.1018", [(i, "MXC550") for i in range(8)]),
        (TABLES[1], "2.12.13", "2.29.0.19", [(0, "MetaX C500"), (1, "MetaX C500")]),
        (TABLES[2], "2.12.13", None, [(0, "MetaX C550")]),
        (TABLES[3], "2.14.8", "2.33.0.5", [(0, "MetaX C500")]),
        (TABLES[4], "2.16.0", "3.0.0.8", [(0, "MetaX C500")]),
        (TABLES[5], "3.4.4", "3.3.0.15", [(i, "MetaX C500") for i in range(3)]),
        (TABLES[6], "3.8.30", "3.7.1.5", [(0, "MetaX C500")]),
    ],
    ids=[name.removeprefix("recorded_") for name in TABLES[:7]],
)
def test_every_layout_is_read(
    data: Callable[[str], str], name: str, driver: str, maca: str | None, cards: list[tuple[int, str]]
) -> None:
    found = parse_table(data(name))
    assert (found.driver, found.maca, found.problem) == (driver, maca, "")
    assert [(card.gpu, card.name) for card in found.cards] == cards
    assert {(card.memory_bytes, card.problem, card.is_slice) for card in found.cards} == {
        (64 * GIB, None, False)
    }
    assert all(card.pci_bus_id and card.pci_bus_id.startswith("0000:") for card in found.cards)


def test_the_gpu_is_counted_and_not_its_board(data: Callable[[str], str]) -> None:
    first, second, share, lost = parse_table(data("hand_made_mixed.txt")).cards
    assert [(card.gpu, card.pci_bus_id) for card in (first, second)] == [
        (0, "0000:08:00.0"),
        (1, "0000:09:00.0"),
    ]
    assert (share.gpu, share.is_slice) == (2, True)
    assert (lost.gpu, lost.memory_bytes, lost.problem) == (3, None, "Not Available")


def test_a_share_of_a_card_does_not_have_its_memory(data: Callable[[str], str]) -> None:
    devices = devices_of(parse_table(data("hand_made_mixed.txt")).cards)
    assert [device.memory_bytes for device in devices] == [72 * GIB, 72 * GIB, None, None]


def test_the_list_has_ids_and_problems(data: Callable[[str], str]) -> None:
    cards = parse_list(data("hand_made_mixed_list.txt"))
    assert [(card.gpu, card.name) for card in cards] == [
        (0, "MXC600-A"),
        (1, "MXC600-A"),
        (2, "MXC500"),
        (3, "MXC500"),
    ]
    assert cards[0].uuid == "GPU-00000000-0000-0000-0000-000000000000"
    assert [card.problem for card in cards] == [
        None,
        None,
        None,
        "Not Available(MetaX Sysfs File Unaccessible)",
    ]
    assert cards[3].uuid is None


def test_an_older_list_has_no_ids(data: Callable[[str], str]) -> None:
    cards = parse_list(data("recorded_list_old.txt"))
    assert [(card.gpu, card.pci_bus_id, card.uuid) for card in cards] == [
        (0, "0000:0e:00.0", None),
        (1, "0000:0f:00.0", None),
    ]


def test_table_and_list_are_joined_by_index(data: Callable[[str], str]) -> None:
    table, listed = (
        parse_table(data("hand_made_mixed.txt")).cards,
        parse_list(data("hand_made_mixed_list.txt")),
    )
    cards = joined(table[1:], listed)
    assert [(card.gpu, card.name) for card in cards] == [
        (1, "MetaX C600"),
        (2, "MetaX C500"),
        (3, "MetaX C500"),
        (0, "MXC600-A"),
    ]
    assert cards[0].memory_bytes == 72 * GIB
    assert cards[0].uuid == "GPU-00000000-0000-0000-0000-000000000001"
    assert cards[2].problem == "Not Available(MetaX Sysfs File Unaccessible)"


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "garble",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("MetaX C", "\x1b[1mMetaX C") + "\x1b[0m",
        lambda text: "warning: no log directory\n" + text,
        lambda text: text + text,
    ],
    ids=["CRLF", "colours", "preamble", "twice"],
)
def test_a_table_is_read_whatever_is_around_it(
    data: Callable[[str], str], name: str, garble: Callable[[str], str]
) -> None:
    assert parse_table(garble(data(name))) == parse_table(data(name))


@pytest.mark.parametrize(
    "row",
    [
        f"| {'9' * 5000} MetaX C500 | 0000:0e:00.0 | 0% |",
        f"| 0 MetaX C500 | {'9' * 5000} Off | 0000:0e:00.0 | 0% |",
        f"| 0 MetaX C500 | 0000:0e:00.0 | 0% |\n| 35C | 1/{'9' * 5000} MiB | |",
        "| 0 | 0000:0e:00.0 | 0% | MetaX",
        "| 0 Off | 0000:0e:00.0 | 0% | MetaX",
    ],
    ids=["index", "index of the GPU", "memory", "no name", "no name but a mode"],
)
def test_a_row_that_no_machine_prints_is_no_error(row: str) -> None:
    found = parse_table(row)
    assert all(card.memory_bytes is None or card.memory_bytes < 2**80 for card in found.cards)
    assert bool(found.cards) != bool(found.problem)
    assert all(device.name for device in checked_devices(devices_of(found.cards)))


def test_rows_without_their_second_line_take_nothing_from_the_next_card(data: Callable[[str], str]) -> None:
    text = "\n".join(line for line in data("recorded_c500_2.2.9.txt").splitlines() if "W / 350W" not in line)
    cards = parse_table(text).cards
    assert [(card.gpu, card.memory_bytes, card.problem) for card in cards] == [
        (i, None, None) for i in range(3)
    ]


def test_a_row_that_was_cut_off_keeps_its_card(data: Callable[[str], str]) -> None:
    text = data("recorded_c500_2.3.1.txt")
    (card,) = parse_table(text[: text.index("| 37W")]).cards
    assert (card.name, card.memory_bytes, card.problem) == ("MetaX C500", None, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mx-smi printed nothing"),
        ("\r\n", "mx-smi printed nothing"),
        ("错误: 未检测到沐曦 GPU 设备\n", "mx-smi lists no GPU: 错误: 未检测到沐曦 GPU 设备"),
        ("\x1b[31mFailed to initialize\x1b[0m\r\n", "mx-smi lists no GPU: Failed to initialize"),
        ("| a | b |\n" * 9, "mx-smi lists no GPU"),
    ],
)
def test_text_that_lists_nothing_gives_a_reason(text: str, problem: str) -> None:
    found = parse_table(text)
    assert (found.cards, found.problem) == ((), problem)
    assert parse_list(text) == ()


FOREIGN = "mx-smi says nothing of MetaX: other companies have a tool of that name"


def test_the_tool_of_another_company_is_told_apart(data: Callable[[str], str]) -> None:
    found = parse_table(data("hand_made_other_company.txt"))
    assert (found.cards, found.problem) == ((), FOREIGN)
    assert parse_list("GPU#0    S30      0000:0e:00.0   Available\n") == ()


def test_the_tool_is_asked_for_both_forms(smi_tool: Callable[..., None]) -> None:
    smi_tool("recorded_c500_2.2.9.txt", "recorded_list_2.2.9.txt")
    found = mxsmi.read()
    assert [card.uuid for card in found.cards] == [
        f"GPU-00000000-0000-0000-0000-00000000000{i}" for i in range(3)
    ]
    assert {(card.name, card.driver, card.memory_bytes) for card in found.cards} == {
        ("MetaX C500", "3.4.4", 64 * GIB)
    }


def test_the_list_is_enough(smi_tool: Callable[..., None]) -> None:
    smi_tool(listing="recorded_list_old.txt")
    assert [card.name for card in mxsmi.read().cards] == ["MXC500", "MXC500"]


@pytest.mark.parametrize("rc", [0, 1])
def test_an_error_is_quoted_whatever_the_exit_code(smi_tool: Callable[..., None], rc: int) -> None:
    smi_tool("hand_made_error.txt", "hand_made_error.txt", rc)
    found = mxsmi.read()
    assert found.cards == ()
    assert "the MetaX driver is not loaded" in found.problem


def test_another_companys_tool_in_path_does_not_hide_the_drivers(
    smi_tool: Callable[..., None], data: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    smi_tool("hand_made_other_company.txt")
    assert mxsmi.read().problem == FOREIGN
    (tmp_path / "opt").mkdir()
    smi_tool("recorded_c500_2.3.1.txt", name="opt/mx-smi")
    monkeypatch.setattr(mxsmi, "PROGRAMS", ("mx-smi", str(tmp_path / "opt/mx-smi")))
    assert [card.name for card in mxsmi.read().cards] == ["MetaX C500"]


def test_a_tool_that_is_not_there(smi_tool: Callable[..., None]) -> None:
    smi_tool(name="another-tool")
    assert mxsmi.read().problem == "mx-smi not found"


def _mutated(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Recorded text with pieces cut out, moved, doubled and overwritten."""
    pieces = [line + end for text in texts for line in text.splitlines() for end in ("\n", "\r\n", "")]
    odd = st.one_of(
        st.text(max_size=20), st.sampled_from(["|", "9" * 5000, "\x1b[", "N/A", "GPU#7 ", "| ٣ MetaX C500 |"])
    )
    return st.lists(st.one_of(st.sampled_from(pieces), odd), max_size=40).map("".join)


def _read(table: str, listing: str, problem: str = "") -> Reading:
    return mxsmi.read(lambda command: ToolOutput(listing if "-L" in command else table, problem))


def test_no_text_makes_discovery_raise(data: Callable[[str], str]) -> None:
    tables, lists = (_mutated([data(name) for name in names]) for names in (TABLES, LISTS))

    @given(tables, lists, st.sampled_from(["", "mx-smi ended with 1"]))
    def holds(table: str, listing: str, problem: str) -> None:
        found = _read(table, listing, problem)
        assert bool(found.cards) != bool(found.problem)
        assert len(checked_devices(devices_of(found.cards))) == len(found.cards)

    holds()


@given(st.text(), st.text())
def test_no_random_text_makes_discovery_raise(table: str, listing: str) -> None:
    found = _read(table, listing)
    assert bool(found.cards) != bool(found.problem)
