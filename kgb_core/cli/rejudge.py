"""`kgb rejudge`: another tolerance over stored measurements, without a chip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kgb_core.cli.options import BundlePath, Json
from kgb_core.cli.output import show, show_json
from kgb_core.errors import UsageError
from kgb_core.report.grid import Cell, grid, verdict_text
from kgb_core.report.text import counted
from kgb_core.results.decide import Fate
from kgb_core.results.policy import Policy, read_policy, scaled
from kgb_core.results.rejudge import Change, RejudgeReport, rejudge_bundle

_SHOWN = 40


def rejudge(
    bundle: BundlePath,
    scale: Annotated[
        float | None, typer.Option(metavar="X", help="Every bound times X, a number above 0.")
    ] = None,
    tolerance: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy in TOML: a reason, and rules.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a bundle with the new verdicts.")
    ] = None,
    json: Json = False,
) -> None:
    """Show which verdicts another tolerance moves, and why.

    Only stored measurements are used. Where they can't tell, the verdict stays and is listed as undecided.
    """
    report = rejudge_bundle(bundle, _policy(scale, tolerance), out)
    if json:
        content = report.model_dump(
            include={"policy", "counts", "verdicts", "changes"}, mode="json", by_alias=True
        )
        show_json("kgb.rejudge/1", **content)
        return
    _show(report)
    if out is not None:
        show(Text(f"Bundle   {out}"))


def _policy(scale: float | None, file: Path | None) -> Policy:
    if (scale is None) == (file is None):
        raise UsageError("give --scale X or --tolerance FILE, one of them.")
    if file is not None:
        return read_policy(file)
    if scale is None or not 0 < scale < float("inf"):
        raise UsageError(f"--scale {scale:g} is no factor.", hint="give a number above 0")
    return scaled(scale)


def _show(report: RejudgeReport) -> None:
    listed = [change for change in report.changes if change.fate is not Fate.IMPOSSIBLE]
    if listed:
        show(grid([_row(change) for change in listed[:_SHOWN]]))
    if len(listed) > _SHOWN:
        show(Text(f"and {len(listed) - _SHOWN} more; --json has them all"))
    for line in _closing(report):
        show(Text(line))


def _row(change: Change) -> Sequence[Cell]:
    if change.fate is Fate.UNDECIDED:
        after = Text("undecided", style="yellow")
    else:
        after = Text.assemble("now ", verdict_text(change.after))
    where = f"{change.candidate.name} on {change.device}"
    return [change.operator, where, verdict_text(change.before), after, change.case, change.why]


def _closing(report: RejudgeReport) -> Iterator[str]:
    counts = Counter(report.counts)
    total = sum(counts.values())
    judged = counts[Fate.KEPT] + counts[Fate.MOVED] + counts[Fate.UNDECIDED]
    yield (
        f"{counted(total, 'record')}, {judged} with a bound: {counts[Fate.MOVED]} moved, "
        f"{counts[Fate.KEPT]} kept, {counts[Fate.UNDECIDED]} undecided."
    )
    reasons = Counter(change.why for change in report.changes if change.fate is Fate.IMPOSSIBLE)
    for reason, count in reasons.most_common():
        yield f"{counted(count, 'record')} can't be rejudged: {reason}."
