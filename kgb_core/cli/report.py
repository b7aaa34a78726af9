"""`kgb report`: the result table of a bundle."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from kgb_core.cli.options import BundlePath, Json
from kgb_core.cli.output import show, show_json
from kgb_core.report.summary import summarise
from kgb_core.report.table import result_table
from kgb_core.report.text import counted
from kgb_core.results.reader import Bundle, read_bundle


def report(bundle: BundlePath, json: Json = False) -> None:
    """Show what a bundle says, one row an operator."""
    found = read_bundle(bundle)
    summary = summarise(found.records, found.remaining, found.system)
    if json:
        finished = found.finished
        show_json(
            "kgb.report/1", bundle=str(bundle), finished=finished, rows=summary.rows, totals=summary.totals
        )
        return
    show(Group(result_table(summary), Text(_state(found))) if not found.finished else result_table(summary))


def _state(bundle: Bundle) -> str:
    missing = len(bundle.remaining)
    text = "The run was interrupted, or goes on"
    return f"{text}: {counted(missing, 'planned case')} without a record." if missing else f"{text}."
