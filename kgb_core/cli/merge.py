"""`kgb merge`: one bundle from several, from whichever laboratories."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kgb_core.cli.options import Json
from kgb_core.cli.output import show, show_json
from kgb_core.report.grid import Cell, grid
from kgb_core.report.text import counted, plain
from kgb_core.results.merge import MergeReport, RunReport, merge_bundles


def merge(
    bundles: Annotated[
        list[Path], typer.Argument(metavar="BUNDLE...", help="Directories that kgb run or kgb merge wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="A directory that is empty or does not exist.")],
    json: Json = False,
) -> None:
    """Write one bundle that holds every run of several.

    The order does not matter, and nothing is counted twice. A bundle that was altered is refused.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is half written must go
    report = merge_bundles(bundles, out)
    if json:
        show_json("kgb.merge/1", out=str(out), runs=report.runs, apart=report.apart)
        return
    headers = ("run", "suite", "tier", "records", "")
    show(grid([_row(each) for each in report.runs], headers=headers))
    for line in _closing(report, out):
        show(Text(line))


def _row(report: RunReport) -> list[Cell]:
    run = report.run
    return [
        run.run,
        run.suite.label,
        run.tier.value,
        f"{run.records}/{run.planned}",
        "; ".join(_remarks(report)),
    ]


def _remarks(report: RunReport) -> Iterator[str]:
    if report.run.synthetic:
        yield "synthetic"
    if report.run.rejudged:
        yield "rejudged"
    if not report.run.finished:
        yield "interrupted, or goes on"
    if report.combined:
        yield f"put together from {report.copies} copies"
    elif report.copies > 1:
        yield f"{report.copies} copies"
    if report.conflicts:
        yield f"{counted(report.conflicts, 'case')} with two records: the later one was kept"


def _closing(report: MergeReport, out: Path) -> Iterator[str]:
    for difference in report.apart:
        values = ", ".join(difference.values)
        yield plain(
            f"Kept apart: {counted(len(difference.values), 'different ' + difference.what)}: {values}"
        )
    yield f"{counted(len(report.runs), 'run')} in {out}"
