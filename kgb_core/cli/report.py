"""`kgb report`: what bundles say, as tables, as data or as files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kgb_core.cli.options import BundlePaths, Json
from kgb_core.cli.output import show
from kgb_core.cli.report_output import Beside, Shown, show_document, show_markdown, show_report
from kgb_core.errors import UsageError
from kgb_core.operators.registry import load_registry
from kgb_core.report.external import read_external
from kgb_core.report.html.compiled import read_compiled
from kgb_core.report.html.external import external_rows
from kgb_core.report.html.page import require_extra, write_page
from kgb_core.report.papertable import Layout, PaperTable, paper_table
from kgb_core.report.suites import asked_of, installed_suites
from kgb_core.results.export import write_csv, write_parquet
from kgb_core.results.query import Results, open_results
from kgb_core.scores.board import board_from
from kgb_core.scores.summary import summarise_runs


def report(
    bundles: BundlePaths,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")
    ] = None,
    table: Annotated[
        Layout | None,
        typer.Option(help="A table of the paper: ms, sources on one chip; mc, the same operators by chip."),
    ] = None,
    external: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Published figures, for rows of their own in table or page."),
    ] = None,
    compiled: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What kgb compile --json printed; never counted as right."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Scores in Markdown, for a README.")] = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one row a record.")] = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FILE", help="The same with types.")] = None,
    json: Json = False,
) -> None:
    """Show what bundles say, one row an operator, or write it as a page or rows.

    When a file is written, only its path is shown, but for --markdown and --json.
    """
    if markdown and json:
        raise UsageError("--markdown and --json exclude each other.")
    if external and table is None and html is None:
        raise UsageError("--external without --table or --html.", hint="give --table ms or --table mc")
    results = open_results(*bundles)
    read = Beside(read_compiled(compiled or []), [read_external(path) for path in external or []])
    written = list(_written(results, html, csv, parquet, read))
    if json or markdown or not written:
        shown = _gathered(bundles, results, table, read)
        (show_document if json else show_markdown if markdown else show_report)(shown)
    else:
        show(Text("\n".join(written)))


def _written(
    results: Results, html: Path | None, csv: Path | None, parquet: Path | None, read: Beside
) -> Iterator[str]:
    """Write the files that were asked for, and say where each is."""
    if html is not None:
        _write_html(results, html, read)
        yield f"Report   {html}"
    if csv is not None:
        write_csv(results, csv)
        yield f"Rows     {csv}"
    if parquet is not None:
        write_parquet(results, parquet)
        yield f"Rows     {parquet}"


def _write_html(results: Results, page: Path, read: Beside) -> None:
    require_extra()
    from kgb_core.report.html.build import Extras, build_report

    published = tuple(row for each in read.external for row in external_rows(each))
    extras = Extras(compiled=read.compiled, external=published)
    write_page(build_report(results, load_registry(), extras), page)


def _gathered(bundles: list[Path], results: Results, layout: Layout | None, read: Beside) -> Shown:
    registry = load_registry()
    suites = installed_suites(results.runs, registry)
    summary = summarise_runs(results.runs)
    board = board_from(results.runs, summary, suites)
    table: PaperTable | None = None
    if layout is not None:
        asked = asked_of(layout, results.runs, suites, registry)
        table = paper_table(board, summary.rows, asked, read.external)
    return Shown(bundles, results, summary, board, table, read)
