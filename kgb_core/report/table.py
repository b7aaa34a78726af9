"""The result table of a bundle: one row a kernel, and one closing line a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.models.timing import Interval
from kgb_core.models.verdict import Verdict
from kgb_core.report.grid import Cell, grid, verdict_text
from kgb_core.report.text import counted, first_line, plain
from kgb_core.scores.proportion import Proportion
from kgb_core.scores.row import Row, VerdictCount
from kgb_core.scores.speedup import Speedup
from kgb_core.scores.summary import BundleSummary, DeviceTotal

_SEVERAL = 3
"""Rows that share a reason before it is said only once."""


def result_table(summary: BundleSummary) -> RenderableType:
    """The whole table: rows by device, then the closing lines."""
    parts: list[RenderableType] = []
    several = len({total.run for total in summary.totals}) > 1
    for total in summary.totals:
        rows = [row for row in summary.rows if (row.device, row.run) == (total.device, total.run)]
        if len(summary.totals) > 1:
            parts.append(Text(_place(total, several), style="bold"))
        common = common_reasons(rows)
        parts += [_rows(rows, common), Text(), *(Text(_footnote(rows, reason)) for reason in common)]
    return Group(*parts, *(Text(closing_line(total, several)) for total in summary.totals))


def _place(total: DeviceTotal, with_run: bool) -> str:
    """The device, and by which run where there are several."""
    return plain(f"{total.device}, run {total.run}" if with_run else total.device)


def common_reasons(rows: Sequence[Row]) -> tuple[str, ...]:
    """Reasons for `unsupported` that several rows share: said once, below the table."""
    reasons = Counter(first_line(found.message) for row in rows for found in _unsupported(row))
    return tuple(reason for reason, count in reasons.items() if reason and count >= _SEVERAL)


def _unsupported(row: Row) -> list[VerdictCount]:
    return [found for found in row.verdicts if found.verdict is Verdict.UNSUPPORTED]


def _footnote(rows: Sequence[Row], reason: str) -> str:
    found = [each for row in rows for each in _unsupported(row) if first_line(each.message) == reason]
    return plain(f"{sum(each.count for each in found)} cases unsupported: {reason}.")


def _rows(rows: Sequence[Row], common: Sequence[str]) -> RenderableType:
    several = max(Counter(row.operator for row in rows).values(), default=1) > 1
    timed = any(row.speedup is not None for row in rows)
    return grid([row_cells(row, several, timed, common) for row in rows])


def row_cells(row: Row, sample: bool = False, timed: bool = False, common: Sequence[str] = ()) -> list[Cell]:
    """One row: operator, sample, passed of counted, verdict, speedup, note.

    Args:
        row: the row's data.
        sample: with the candidate's name.
        timed: with the speedup.
        common: reasons for `unsupported` that are said elsewhere.
    """
    cells: list[Cell] = ["  " + row.operator]
    if sample:
        cells.append(row.candidate.name)
    cells += [f"{row.passed}/{row.counted}", verdict_text(row.verdict, _view(row))]
    if timed:
        cells.append(speedup_text(row.speedup))
    return [*cells, note(row, common)]


def note(row: Row, common: Sequence[str] = ()) -> str:
    """What a reader must know of a row beyond its verdict; empty for a plain pass."""
    parts = [_failure(row)] if row.failed else []
    parts += [_apart(found, common) for found in row.verdicts if not found.verdict.counts]
    if row.missing:
        parts.append(f"{row.missing} not run")
    return "; ".join(parts)


def _failure(row: Row) -> str:
    worst, *others = [
        each for each in row.verdicts if each.verdict.counts and each.verdict is not Verdict.PASSED
    ]
    message = first_line(worst.message)
    text = f"{worst.case}: {message}" if message else worst.case
    if worst.count > 1:
        text += f"; {worst.count} such cases"
    return text + "".join(f"; also {other.count} {other.verdict.value}" for other in others)


def _apart(found: VerdictCount, common: Sequence[str]) -> str:
    text = f"{found.count} {found.verdict.value}"
    message = first_line(found.message)
    return f"{text}: {message}" if message and message not in common else text


def _view(row: Row) -> str:
    if row.verdict is not Verdict.PASSED or row.kind != "view":
        return ""
    if row.views == 0:
        return " (copy)"
    return " (view)" if row.views == row.passed else f" ({row.views} of {row.passed} views)"


def speedup_text(speedup: Speedup | None) -> str:
    """`1.32x (1.29 to 1.35)`; empty where nothing was timed."""
    if speedup is None:
        return ""
    text = f"{speedup.value:.3g}x"
    if speedup.interval is not None:
        text += f" ({speedup.interval.low:.3g} to {speedup.interval.high:.3g})"
    if speedup.overhead_bound:
        text += f", {speedup.overhead_bound} of {speedup.cases} overhead bound"
    return text


def closing_line(total: DeviceTotal, with_run: bool = False) -> str:
    """How many operators are right on a device, with the interval and what is left out.

    Args:
        total: the device's numbers.
        with_run: also say which run they are of.
    """
    parts = [_right(total, _place(total, with_run))]
    if total.unfinished:
        parts.append(f"{counted(total.unfinished, 'operator')} not finished.")
    if total.unjudged:
        parts.append(f"{counted(total.unjudged, 'operator')} can't be judged here.")
    if not total.timed:
        parts.append(f"Not timed: {total.untimed}." if total.untimed else "Not timed.")
    return plain(" ".join(parts))


def _right(total: DeviceTotal, place: str) -> str:
    found = total.operators
    if found.share is None:
        return f"No operator was judged to the end on {place}."
    text = f"{found.count} of {counted(found.total, 'operator')} right on {place} ({_share(found)})"
    if total.kernels.total != found.total:
        text += (
            f"; {total.kernels.count} of {counted(total.kernels.total, 'kernel')} ({_share(total.kernels)})"
        )
    return text + "."


def _share(found: Proportion) -> str:
    interval = found.interval or Interval(low=0.0, high=1.0)
    low, high = (100 * bound for bound in (interval.low, interval.high))
    return f"{100 * (found.share or 0.0):.1f} %, 95 % Wilson interval {low:.1f} to {high:.1f}"
