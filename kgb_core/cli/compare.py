"""`kgb compare`: what got better or worse between two runs, and whether it is more than noise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from kgb_core.cli.options import Json
from kgb_core.cli.output import plain_data, remark, show, show_json
from kgb_core.errors import ExitCode, NothingSelectedError
from kgb_core.report.compared import comparison_sheets
from kgb_core.report.sheet import drawn
from kgb_core.report.text import plain
from kgb_core.results.query import open_results
from kgb_core.scores.compare import compare_runs
from kgb_core.scores.condition import failures, parse_condition
from kgb_core.scores.pairing import Apart


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="The bundle before.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The bundle after.")],
    fail_if: Annotated[
        list[str] | None,
        typer.Option("--fail-if", metavar="WHAT", help="worse, slower:5% or accuracy:1%; may be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Say what got better or worse between two bundles, and whether it is more than noise.

    Runs are compared where chip, suite, tier and seed are the same. Exits with 1 if a --fail-if holds.
    """
    conditions = [parse_condition(text) for text in fail_if or []]
    earlier = open_results(before)
    comparison = compare_runs(earlier.runs, open_results(after).runs)
    if not comparison.matched:
        own = {run.id for run in earlier.runs}
        raise _nothing(before, after, [each for each in comparison.apart if each.run in own])
    failed = [line for condition in conditions for line in failures(condition, comparison)]
    if json:
        show_json(
            "kgb.compare/1",
            before=str(before),
            after=str(after),
            **plain_data(comparison),
            failed=failed,
        )
    else:
        show(drawn(list(comparison_sheets(comparison))))
        for line in failed:
            remark(plain(line))
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _nothing(before: Path, after: Path, apart: Sequence[Apart]) -> NothingSelectedError:
    why = "; ".join(f"{each.device} of {each.run}: {each.why}" for each in apart)
    return NothingSelectedError(
        f"{before} and {after} can't be compared.",
        why or f"{before} holds no record",
        "judge both with the same suite and --tier, and give the second run --seed of the first",
    )
