"""Sheets and figures: numbers as they are read, and Markdown that text from elsewhere can't break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.report.figures import amount, duration, per_success_text, percent, share_text
from kgb_core.report.grid import rendered
from kgb_core.report.sheet import Sheet, drawn, markdown
from kgb_core.scores.cost import per_success
from kgb_core.scores.proportion import proportion


def test_numbers_as_they_are_read() -> None:
    assert share_text(proportion(28, 29)) == "28/29  96.6 % (82.8 to 99.4)"
    assert share_text(proportion(0, 0)) == "-"
    assert (percent(None), percent(0.125)) == ("-", "12.5 %")
    assert [amount(value) for value in (12, 1450, 1.45e6)] == ["12", "1.45 k", "1.45 M"]
    assert [duration(value) for value in (870, 12_300, 4.2e6)] == ["870 ns", "12.3 µs", "4.2 ms"]
    assert per_success_text(per_success(1_000_000, 40, 50)) == "25 k (22.5 k to 29.9 k)"
    assert per_success_text(per_success(1000, 0, 5)) == "-"


def test_a_sheet_on_a_terminal() -> None:
    sheet = Sheet("Title", ["a", "b"], [["1", "22"]], ["a note"])
    assert rendered(drawn([sheet, sheet])) == "\n".join([*["Title", "a  b", "1  22", "a note", ""] * 2])


def test_a_sheet_in_markdown() -> None:
    text = markdown([Sheet("Title", ["a", "b"], [["1", "22"]], ["a note"])])
    assert text == "### Title\n\n| a | b |\n|---|--:|\n| 1 | 22 |\n\na note\n"


@pytest.mark.parametrize("hostile", ["a|b", "<script>", "[x](y)", "`x`", "a\nb", "\x1b[2J", "# x", "&lt;"])
def test_hostile_cells_are_text(hostile: str) -> None:
    import markdown_it

    html = markdown_it.MarkdownIt("js-default").render(markdown([Sheet("", ["a", "b"], [[hostile, "x"]])]))
    assert html.count("<td") == 2
    assert not any(tag in html for tag in ("<script", "<a ", "<code", "<h1"))


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2))
def test_every_row_has_as_many_cells_as_the_header(cells: list[str]) -> None:
    lines = markdown([Sheet("", ["a", "b"], [cells])]).split("\n")
    assert len(lines) == 4
    bare = lines[2].replace("\\\\", "").replace("\\|", "")
    assert bare.count("|") == 3
