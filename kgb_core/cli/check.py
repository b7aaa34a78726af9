"""`kgb check`: is a bundle whole, unaltered, complete and plausible?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kgb_core.cli.options import Json
from kgb_core.cli.output import show, show_json
from kgb_core.errors import ExitCode
from kgb_core.report.grid import Cell, grid
from kgb_core.results.check import Problem, Severity, check_bundle

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def check(
    bundles: Annotated[
        list[Path], typer.Argument(metavar="BUNDLE...", help="Directories that kgb run wrote.")
    ],
    strict: Annotated[bool, typer.Option("--strict", help="An interrupted run is an error, too.")] = False,
    json: Json = False,
) -> None:
    """Check bundles: hashes, counts, one record a planned case, no impossible time.

    Exits with 1 if there is an error; warnings alone exit with 0.
    """
    found = {path: check_bundle(path, strict) for path in bundles}
    if json:
        listed = [{"bundle": str(path), "problems": problems} for path, problems in found.items()]
        show_json("kgb.check/1", bundles=listed)
    else:
        for path, problems in found.items():
            show(
                grid([_row(path, problem) for problem in problems]) if problems else Text(f"{path} is right")
            )
    if any(problem.severity is Severity.ERROR for problems in found.values() for problem in problems):
        raise typer.Exit(ExitCode.FAILED)


def _row(bundle: Path, problem: Problem) -> list[Cell]:
    severity = Text(problem.severity.value, style=_STYLES[problem.severity])
    return [f"{bundle}/{problem.place}", severity, problem.message]
