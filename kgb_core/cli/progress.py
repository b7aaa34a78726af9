"""Progress of a run on stderr: a live bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.runner.conduct import Watcher
from kgb_core.runner.planning import Unit


class _Bar:
    """A bar over all planned cases, with the operator at hand and the failures so far."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("starting", total=None, failed=0)
        self._failed = 0

    def planned(self, units: Sequence[Unit], recorded: int) -> None:
        """Set the length of the bar."""
        self._bar.update(self._task, total=sum(len(unit.items) for unit in units), completed=recorded)

    def recorded(self, record: Record) -> None:
        """Advance by one case."""
        self._failed += record.verdict.counts and record.verdict is not Verdict.PASSED
        self._bar.update(self._task, advance=1, description=record.operator, failed=self._failed)


class _Quiet:
    """Shows nothing."""

    def planned(self, units: Sequence[Unit], recorded: int) -> None:
        """Nothing."""

    def recorded(self, record: Record) -> None:
        """Nothing."""


@contextmanager
def progress(quiet: bool) -> Iterator[Watcher]:
    """A watcher that shows progress while the context is open.

    Args:
        quiet: show nothing, as for a program that reads the output.
    """
    if quiet or not sys.stderr.isatty():
        yield _Quiet()
        return
    columns = (
        TextColumn("  {task.description:<28}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]} failed"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar)
