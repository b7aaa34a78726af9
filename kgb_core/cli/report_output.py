"""What `kgb report` shows: the banner, the tables, the closing lines, and the JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group
from rich.text import Text

from kgb_core.cli.output import emit, show, show_json
from kgb_core.report.compiledsheet import compiled_sheet
from kgb_core.report.conformance import conformance_lines
from kgb_core.report.external import External
from kgb_core.report.html.model import Compiled
from kgb_core.report.papersheet import paper_sheets
from kgb_core.report.papertable import PaperTable
from kgb_core.report.scoresheet import score_sheets
from kgb_core.report.sheet import Sheet, drawn, markdown
from kgb_core.report.table import closing_line, result_table
from kgb_core.report.text import counted
from kgb_core.results.query import Results
from kgb_core.scores.board import Scoreboard
from kgb_core.scores.summary import BundleSummary

_SYNTHETIC = "SYNTHETIC: a program made these records up. Nothing was measured."


@dataclass(frozen=True)
class Beside:
    """What is shown besides the bundles, and counts in none of their scores."""

    compiled: Compiled
    external: Sequence[External]


@dataclass(frozen=True)
class Shown:
    """All that a report is of."""

    bundles: Sequence[Path]
    results: Results
    summary: BundleSummary
    board: Scoreboard
    table: PaperTable | None
    beside: Beside

    @property
    def sheets(self) -> list[Sheet]:
        """The scores, or the table that was asked for, and compile-only results."""
        own = paper_sheets(self.table) if self.table is not None else score_sheets(self.board)
        return [*own, *([compiled_sheet(self.beside.compiled)] if self.beside.compiled.cells else [])]


def show_report(shown: Shown) -> None:
    """Write the report for the terminal."""
    banner = [Text(f"{_SYNTHETIC}\n")] if shown.results.synthetic else []
    rows = [result_table(shown.summary)] if shown.table is None else []
    sheets = shown.sheets
    gap = [Text()] if rows and sheets else []
    closing = [Text(line) for line in _closing(shown)]
    end = [Text()] if sheets and closing else []
    show(Group(*banner, *rows, *gap, drawn(sheets), *end, *closing))


def show_markdown(shown: Shown) -> None:
    """Write it in Markdown, without the rows of single kernels."""
    notes = [_SYNTHETIC] if shown.results.synthetic else []
    several = len({total.run for total in shown.summary.totals}) > 1
    lines = [closing_line(total, several) for total in shown.summary.totals] if shown.table is None else []
    head = Sheet("", (), (), (*notes, *lines))
    tail = Sheet("", (), (), tuple(_closing(shown)))
    emit(markdown([head, *shown.sheets, tail]) + "\n")


def show_document(shown: Shown) -> None:
    """Write it as one JSON document."""
    results = shown.results
    show_json(
        "kgb.report/1",
        bundle=", ".join(map(str, shown.bundles)),
        finished=all(run.finished for run in results.runs),
        synthetic=results.synthetic,
        conformance=results.conformance,
        rows=shown.summary.rows,
        totals=shown.summary.totals,
        board=shown.board,
        apart=results.differences(),
        table=shown.table,
        compiled=shown.beside.compiled,
        external=shown.beside.external,
    )


def _closing(shown: Shown) -> Iterator[str]:
    results, summary = shown.results, shown.summary
    for run in results.runs:
        if run.manifest is not None and run.manifest.rejudged is not None:
            source = run.manifest.rejudged
            yield f"Rejudged from the measurements of {source.run}: {source.reason}"
        if not run.finished:
            name = f"Run {run.id}" if len(results.runs) > 1 else "The run"
            missing = sum(row.missing for row in summary.rows if row.run == run.id)
            text = f"{name} was interrupted, or goes on"
            yield f"{text}: {counted(missing, 'planned case')} without a record." if missing else f"{text}."
    yield from conformance_lines(run.manifest for run in results.runs)
    for difference in results.differences():
        yield f"Kept apart: {counted(len(difference.values), 'different ' + difference.what)} among the runs."
