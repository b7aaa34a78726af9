"""Tables for the terminal: plain columns, without frames, in which nothing is cut off."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from kgb_core.models.verdict import Family, Verdict
from kgb_core.report.text import plain

Cell = str | Text

_WIDE = 100_000
"""Columns where nobody looks: a pipe gets one line a row."""
_STYLES = {Family.PASSED: "green", Family.NOT_THE_CANDIDATES: "yellow"}


def grid(rows: Iterable[Sequence[Cell]], headers: Sequence[str] = (), fold: Iterable[int] = (-1,)) -> Table:
    """Rows in columns.

    Args:
        rows: cells as plain text, never markup; each row as long as the others.
        headers: the columns' names; none: no header.
        fold: columns that wrap where the terminal is narrow; the others keep their words together.
    """
    content = [[safe(cell) for cell in row] for row in rows]
    count = len(headers) or max(map(len, content), default=0)
    folding = {index % count for index in fold} if count else set()
    table = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=bool(headers), header_style="bold"
    )
    for index in range(count):
        table.add_column(
            headers[index] if headers else "", no_wrap=index not in folding, overflow="fold", vertical="top"
        )
    for row in content:
        table.add_row(*row)
    return table


def safe(cell: Cell) -> Text:
    """A cell as text without control characters."""
    return cell if isinstance(cell, Text) else Text(plain(cell))


def verdict_text(verdict: Verdict | None, suffix: str = "") -> Text:
    """A verdict in its colour: green passed, red failed, yellow not the candidate's."""
    if verdict is None:
        return Text("not run" + suffix, style="yellow")
    return Text(verdict.value + suffix, style=_STYLES.get(verdict.family, "red"))


def rendered(renderable: RenderableType, width: int | None = None, colour: bool = False) -> str:
    """A renderable as text.

    Args:
        renderable: a table, or rich text.
        width: of the terminal in columns; `None` for a pipe or a file: no line is wrapped.
        colour: with colours, unless `NO_COLOR` is set.
    """
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width or _WIDE,
        force_terminal=colour,
        no_color=None if colour else True,
        highlight=False,
        legacy_windows=False,
    )
    console.print(renderable, soft_wrap=False)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().split("\n")[:-1])
