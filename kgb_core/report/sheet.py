"""A table apart from how it is drawn: for the terminal, or in Markdown for a README."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.report.grid import grid
from kgb_core.report.text import plain


@dataclass(frozen=True)
class Sheet:
    """A table with a title and notes.

    Attributes:
        title: what it shows; may be empty.
        headers: the columns' names.
        rows: cells as text, each row as long as the headers.
        notes: below it, one a line.
    """

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


def drawn(sheets: Sequence[Sheet]) -> RenderableType:
    """Sheets for the terminal, with an empty line between them."""
    parts: list[RenderableType] = []
    for sheet in sheets:
        parts += [Text()] if parts else []
        parts += [Text(plain(sheet.title), style="bold")] if sheet.title else []
        parts += [grid(sheet.rows, sheet.headers)] if sheet.rows else []
        parts += [Text(plain(note)) for note in sheet.notes]
    return Group(*parts)


def markdown(sheets: Sequence[Sheet]) -> str:
    """Sheets in Markdown; numbers stand to the right of the first column's names."""
    return "\n".join(line for sheet in sheets for line in _markdown(sheet))


def _markdown(sheet: Sheet) -> Iterator[str]:
    if sheet.title:
        yield from (f"### {_escaped(sheet.title)}", "")
    if sheet.rows:
        yield _line(sheet.headers)
        yield "|" + "|".join(["---", *["--:"] * (len(sheet.headers) - 1)]) + "|"
        yield from map(_line, sheet.rows)
        yield ""
    for note in sheet.notes:
        yield from (_escaped(note), "")


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_escaped, cells)) + " |"


def _escaped(text: str) -> str:
    """Text that can't end a cell, begin HTML or a link, or be drawn as anything but itself."""
    single = " ".join(plain(text).split())
    escaped = "".join("\\" + char if char in "\\`*_[]<>|#" else char for char in single)
    return escaped.replace("&", "&amp;")
