"""`kgb report`: the result table of a bundle."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from kgb_core.cli.options import BundlePath, Json
from kgb_core.cli.output import show, show_json
from kgb_core.report.conformance import conformance_lines
from kgb_core.report.summary import BundleSummary, summarise_runs
from kgb_core.report.table import result_table
from kgb_core.report.text import counted
from kgb_core.results.query import Results, open_results


def report(bundle: BundlePath, json: Json = False) -> None:
    """Show what a bundle says, one row an operator."""
    results = open_results(bundle)
    summary = summarise_runs(results.runs)
    if json:
        show_json(
            "kgb.report/1",
            bundle=str(bundle),
            finished=all(run.finished for run in results.runs),
            synthetic=results.synthetic,
            conformance=results.conformance,
            rows=summary.rows,
            totals=summary.totals,
        )
        return
    show(Group(*map(Text, _banner(results)), result_table(summary), *map(Text, _closing(results, summary))))


def _banner(results: Results) -> Iterator[str]:
    """What must be known before a number is read."""
    if results.synthetic:
        yield "SYNTHETIC: a program made these records up. Nothing was measured.\n"


def _closing(results: Results, summary: BundleSummary) -> Iterator[str]:
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
