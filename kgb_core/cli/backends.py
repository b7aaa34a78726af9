"""`kgb backends`: what became of every installed backend."""

from __future__ import annotations

from rich.text import Text

from kgb_core.cli.loading import survey
from kgb_core.cli.options import Backends, Json
from kgb_core.cli.output import show, show_json
from kgb_core.models.plugins import LoadState, PluginEntry
from kgb_core.report.grid import Cell, grid

_HEADERS = ("backend", "state", "distribution", "reason and next step")


def backends(backend: Backends = None, json: Json = False) -> None:
    """Show what became of every installed backend, and what to do about it."""
    report = survey(backend).report
    if json:
        show_json("kgb.backends/1", backends=report.entries)
    elif report.entries:
        show(grid([_row(entry) for entry in report.entries], _HEADERS))
    else:
        show(Text("no backend is installed; pip install kgb-backend-cpu for Triton's interpreter"))


def _row(entry: PluginEntry) -> list[Cell]:
    style = (
        "green"
        if entry.state is LoadState.LOADED
        else "yellow"
        if entry.state is LoadState.DISABLED
        else "red"
    )
    told = "; ".join(part for part in (entry.reason, entry.next_step) if part)
    return [entry.name, Text(entry.state.value, style=style), f"{entry.distribution} {entry.version}", told]
