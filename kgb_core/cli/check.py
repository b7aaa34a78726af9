"""`kgb check`: is a bundle whole, unaltered, complete and plausible?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kgb_core.cli.options import Json
from kgb_core.cli.output import show, show_json
from kgb_core.errors import ExitCode, UsageError
from kgb_core.report.grid import Cell, grid
from kgb_core.results.check import check_bundle
from kgb_core.results.problems import Problem, Severity
from kgb_core.results.signature import check_signature

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def check(
    bundles: Annotated[
        list[Path], typer.Argument(metavar="BUNDLE...", help="Directories that kgb run wrote.")
    ],
    strict: Annotated[bool, typer.Option("--strict", help="An interrupted run is an error, too.")] = False,
    key: Annotated[
        Path | None,
        typer.Option(help="A file of public SSH keys: the manifest must be signed with one of them."),
    ] = None,
    signature: Annotated[
        Path | None, typer.Option(help="The signature; default: manifest.json.sig in the bundle.")
    ] = None,
    json: Json = False,
) -> None:
    """Check bundles: hashes, counts, one record a planned case, no impossible time.

    Exits with 1 if there is an error; warnings and notes alone exit with 0.
    """
    if signature is not None and key is None:
        raise UsageError(
            "--signature without --key.", "a signature says nothing without a key", "give --key FILE"
        )
    found = {path: check_bundle(path, strict) for path in bundles}
    if key is not None:
        for path, problems in found.items():
            problems += check_signature(path, key, signature)
    if json:
        listed = [{"bundle": str(path), "problems": problems} for path, problems in found.items()]
        show_json("kgb.check/1", bundles=listed)
    else:
        for path, problems in found.items():
            _show(path, problems)
    if any(problem.severity is Severity.ERROR for problems in found.values() for problem in problems):
        raise typer.Exit(ExitCode.FAILED)


def _show(bundle: Path, problems: Sequence[Problem]) -> None:
    if problems:
        show(grid([_row(bundle, problem) for problem in problems]))
    if all(problem.severity is Severity.NOTE for problem in problems):
        show(Text(f"{bundle} is right"))


def _row(bundle: Path, problem: Problem) -> list[Cell]:
    severity = Text(problem.severity.value, style=_STYLES[problem.severity])
    return [f"{bundle}/{problem.place}", severity, problem.message]
