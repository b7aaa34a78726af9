"""A tool's output: what terminals and other systems put into it is gone, and its complaint is found."""

from __future__ import annotations

import pytest

from kgb_core.plugins.text import clean, complaint, lines, size_in_bytes

COLOURED = "\ufeff\x1b[31mError:\x1b[0m no device\r\n\r\nbye\r"


def test_colours_line_ends_and_marks_are_gone() -> None:
    assert clean(COLOURED) == "Error: no device\n\nbye\n"
    assert lines("\x1b[1mone\x1b[0m  \r\n\n two\n") == ["one", " two"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a banner\nof\nmany\nlines\ncan't open the driver\n", "can't open the driver"),
        ("驱动加载失败\n", "驱动加载失败"),
        ("hello\n", "hello"),
        ("a\nb\nc\nd\n", ""),
        ("", ""),
    ],
)
def test_a_complaint_is_found_and_a_table_is_none(text: str, said: str) -> None:
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("text", "size"), [("81920MiB", 81920 * 2**20), ("4 GiB free", 2**32), ("7B", 7), ("N/A", None)]
)
def test_amounts(text: str, size: int | None) -> None:
    assert size_in_bytes(text) == size
