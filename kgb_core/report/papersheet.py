"""The paper's tables drawn: `accuracy / speedup` in every cell, published rows apart from the user's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgb_core.report.figures import UNKNOWN, amount, percent
from kgb_core.report.papertable import Layout, PaperTable, TableCell, TableRow
from kgb_core.report.sheet import Sheet

_TITLES = {Layout.MULTI_SOURCE: "Multi-source", Layout.MULTI_CHIP: "Multi-chip"}
_LEGEND = (
    "Each cell: accuracy, right/asked; speedup, and over how many of the operators that a time is asked of. "
    "Tokens are for each operator with a right kernel."
)


def paper_sheets(table: PaperTable) -> Iterator[Sheet]:
    """The user's own rows, then those that others published, in a table of their own."""
    title = _TITLES[table.layout]
    yield _sheet(title, table.layout, table.own, ((_LEGEND,) if table.own else ()) + table.notes)
    if table.published:
        yield _sheet(f"{title}, published by others", table.layout, table.published, table.published_notes)


def _sheet(title: str, layout: Layout, rows: Sequence[TableRow], notes: Sequence[str]) -> Sheet:
    columns = tuple(dict.fromkeys(name for row in rows for name in row.cells))
    chip = ["chip"] if layout is Layout.MULTI_SOURCE else []
    headers = ["method", *chip, *columns, "tokens per success"]
    remarks = [f"{row.method}: {row.note}." for row in rows if row.note]
    return Sheet(title, headers, [_row(layout, columns, row) for row in rows], (*notes, *remarks))


def _row(layout: Layout, columns: Sequence[str], row: TableRow) -> list[str]:
    method = f"[{row.external}] {row.method}" if row.external else row.method
    chip = [row.chip or UNKNOWN] if layout is Layout.MULTI_SOURCE else []
    return [method, *chip, *(_cell(row.cells.get(name)) for name in columns), _tokens(row)]


def _cell(cell: TableCell | None) -> str:
    if cell is None:
        return UNKNOWN
    counts = "" if cell.total is None else f" {cell.right}/{cell.total}"
    over = f" {cell.matched}/{cell.wanted}" if cell.wanted else ""
    return f"{percent(cell.accuracy, 0)}{counts}; {_speedup(cell.speedup)}{over}"


def _speedup(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.2f}x"


def _tokens(row: TableRow) -> str:
    """One amount, or from the least to the most over the chips."""
    if row.tokens_per_success is not None:
        return amount(row.tokens_per_success)
    known = [cell.tokens_per_success for cell in row.cells.values() if cell.tokens_per_success is not None]
    return _span(known) if known else UNKNOWN


def _span(amounts: Sequence[float]) -> str:
    least, most = amount(min(amounts)), amount(max(amounts))
    return least if least == most else f"{least} to {most}"
