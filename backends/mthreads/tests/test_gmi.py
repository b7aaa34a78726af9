"""The text of mthreads-gmi, with all that real machines put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_backend_mthreads import gmi
from kgb_backend_mthreads.cards import devices_of
from kgb_backend_mthreads.gmi import parse_query, parse_table
from kgb_core.plugins.answers import devices as checked_devices
from kgb_core.plugins.tools import ToolOutput

GIB = 2**30
TABLES = ("recorded_s5000_table.txt", "recorded_s80_table.txt", "recorded_s4000_short_memory_table.txt")
QUERIES = ("recorded_s90_query.txt", "hand_made_two_query.txt")


def test_eight_cards_of_the_newest_table(data: Callable[[str], str]) -> None:
    found = parse_table(data("recorded_s5000_table.txt"))
    assert (found.driver, found.problem) == ("5.1.0-server", "")
    assert [card.gpu for card in found.cards] == list(range(8))
    assert {card.name for card in found.cards} == {"MTT S5000"}
    first = found.cards[0]
    assert (first.pci_bus_id, first.memory_bytes, first.driver) == (
        "00000000:18:00.0",
        80 * GIB,
        "5.1.0-server",
    )


def test_memory_is_the_total_and_not_what_is_used(data: Callable[[str], str]) -> None:
    found = parse_table(data("recorded_s5000_busy_table.txt"))
    assert [card.memory_bytes for card in found.cards] == [80 * GIB] * 3


def test_an_older_table_and_its_processes(data: Callable[[str], str]) -> None:
    (card,) = parse_table(data("recorded_s80_table.txt")).cards
    assert (card.gpu, card.name, card.memory_bytes, card.driver) == (0, "MTT S80", 16 * GIB, "3.0.0")


def test_a_table_that_was_cut_off(data: Callable[[str], str]) -> None:
    (card,) = parse_table(data("recorded_s4000_short_memory_table.txt")).cards
    assert (card.name, card.memory_bytes, card.driver) == ("MTT S4000", 32 * GIB, "1.2.0")


def test_what_an_s90_said(data: Callable[[str], str]) -> None:
    found = parse_query(data("recorded_s90_query.txt"))
    (card,) = found.cards
    assert (card.gpu, card.name, card.driver) == (0, "MTT S90", "2.7.0")
    assert (card.uuid, card.pci_bus_id) == ("00000000-0000-0000-0000-000000000001", "00000000:01:00.0")
    assert (card.pci_vendor, card.is_ours) == (0x1ED5, True)
    assert card.memory_bytes == 24 * GIB


def test_the_same_without_indentation(data: Callable[[str], str]) -> None:
    text = data("recorded_s90_query.txt")
    assert parse_query("\n".join(map(str.strip, text.splitlines()))) == parse_query(text)


def test_facts_may_be_missing_and_indices_may_have_gaps(data: Callable[[str], str]) -> None:
    known, unknown = parse_query(data("hand_made_two_query.txt")).cards
    assert (known.gpu, known.name, known.memory_bytes) == (0, "MTT S4000", 48 * GIB)
    assert (unknown.gpu, unknown.name) == (3, "Moore Threads GPU 3")
    assert (unknown.uuid, unknown.memory_bytes, unknown.pci_vendor) == (None, None, None)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "garble",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\x1b[1;32m" + text.replace("MTT", "\x1b[0mMTT") + "\x1b[0m",
        lambda text: "warning: the log directory can't be written\n" + text,
        lambda text: text + text,
    ],
    ids=["CRLF", "colours", "preamble", "twice"],
)
def test_a_table_is_read_whatever_is_around_it(
    data: Callable[[str], str], name: str, garble: Callable[[str], str]
) -> None:
    assert parse_table(garble(data(name))) == parse_table(data(name))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mthreads-gmi printed nothing"),
        (" \r\n \n", "mthreads-gmi printed nothing"),
        ("Error: No MT GPU device found.\n", "mthreads-gmi lists no GPU: Error: No MT GPU device found."),
        ("failed to initialize mtml", "mthreads-gmi lists no GPU: failed to initialize mtml"),
        ("错误: 未检测到 GPU 设备\n", "mthreads-gmi lists no GPU: 错误: 未检测到 GPU 设备"),
        ("\x1b[31mfailed to load driver\x1b[0m\r\n", "mthreads-gmi lists no GPU: failed to load driver"),
        ("usage: mthreads-gmi\n", "mthreads-gmi lists no GPU: usage: mthreads-gmi"),
    ],
)
@pytest.mark.parametrize("parse", [parse_table, parse_query])
def test_text_that_lists_nothing_gives_a_reason(
    parse: Callable[..., gmi.Reading], text: str, problem: str
) -> None:
    found = parse(text)
    assert (found.cards, found.problem) == ((), problem)


def test_a_header_alone_lists_nothing(data: Callable[[str], str]) -> None:
    header = "\n".join(data("recorded_s5000_table.txt").splitlines()[:8])
    found = parse_table(header)
    assert (found.cards, found.driver, found.problem) == ((), "5.1.0-server", "mthreads-gmi lists no GPU")


@pytest.mark.parametrize(
    "row",
    [
        f"{'9' * 5000}  MTT S4000 |00000000:08:00.0 |0% 1MiB(1MiB)",
        f"0  MTT S4000 |00000000:08:00.0 |0% 1MiB({'9' * 5000}MiB)",
        f"GPU{'9' * 5000} 00000000:08:00.0\nProduct Name : MTT S4000",
        f"GPU0 00000000:08:00.0\nProduct Name : MTT S4000\nFB Memory Usage\nTotal : {'9' * 5000}MiB",
    ],
    ids=["index", "memory", "index of -q", "memory of -q"],
)
def test_a_number_that_no_machine_has_is_no_error(row: str) -> None:
    for found in (parse_table(row), parse_query(row)):
        assert all(card.memory_bytes is None or card.memory_bytes < 2**80 for card in found.cards)
        assert bool(found.cards) != bool(found.problem)


def test_rows_without_a_word_of_the_vendor_are_not_ours() -> None:
    found = parse_table("0    X1   |00000000:18:00.0    |0%    0MiB(81920MiB)\n")
    assert (found.cards, found.problem) == ((), "mthreads-gmi says nothing of Moore Threads")


def test_the_long_form_is_asked_first(gmi_tool: Callable[..., None]) -> None:
    gmi_tool(query="recorded_s90_query.txt", table="recorded_s80_table.txt")
    assert [card.name for card in gmi.read().cards] == ["MTT S90"]


@pytest.mark.parametrize("query", ["", "recorded_no_mtml.txt"])
def test_the_table_is_read_where_the_long_form_says_nothing(
    gmi_tool: Callable[..., None], query: str
) -> None:
    gmi_tool(query=query, table="recorded_s80_table.txt")
    assert [card.name for card in gmi.read().cards] == ["MTT S80"]


@pytest.mark.parametrize("rc", [0, 255])
def test_an_error_is_quoted_whatever_the_exit_code(gmi_tool: Callable[..., None], rc: int) -> None:
    gmi_tool(query="recorded_no_device.txt", table="recorded_no_device.txt", rc=rc)
    found = gmi.read()
    assert found.cards == ()
    assert "No MT GPU device found" in found.problem


def test_cards_count_even_beside_a_bad_exit_code(gmi_tool: Callable[..., None]) -> None:
    gmi_tool(query="recorded_s90_query.txt", rc=1)
    assert [card.name for card in gmi.read().cards] == ["MTT S90"]


def test_a_tool_that_is_not_there(gmi_tool: Callable[..., None]) -> None:
    gmi_tool(name="another-tool")
    assert gmi.read().problem == "mthreads-gmi not found"


def _mutated(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Recorded text with pieces cut out, moved, doubled and overwritten."""
    pieces = [line + end for text in texts for line in text.splitlines() for end in ("\n", "\r\n", "")]
    odd = st.one_of(
        st.text(max_size=20), st.sampled_from(["|", "9" * 5000, "\x1b[", "N/A", "GPU7 ", "٣    MTT S4000 |"])
    )
    return st.lists(st.one_of(st.sampled_from(pieces), odd), max_size=40).map("".join)


def test_no_text_makes_discovery_raise(data: Callable[[str], str]) -> None:
    texts = _mutated([data(name) for name in TABLES + QUERIES])

    @given(texts, texts, st.sampled_from(["", "mthreads-gmi ended with 1"]))
    def holds(query: str, table: str, problem: str) -> None:
        found = gmi.read(lambda command: ToolOutput(query if "-q" in command else table, problem))
        assert bool(found.cards) != bool(found.problem)
        assert len(checked_devices(devices_of(found.cards))) == len(found.cards)

    holds()


@given(st.text(), st.text())
def test_no_random_text_makes_discovery_raise(query: str, table: str) -> None:
    found = gmi.read(lambda command: ToolOutput(query if "-q" in command else table))
    assert bool(found.cards) != bool(found.problem)
