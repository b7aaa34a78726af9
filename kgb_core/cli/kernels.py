"""`kgb kernels`: what a pack holds, and which operator each file is for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.cli.options import Json
from kgb_core.cli.output import plain_data, show, show_json
from kgb_core.errors import ExitCode
from kgb_core.kernels.match import FileMatch, Matching, MatchStatus, match_pack
from kgb_core.kernels.pack import load_pack
from kgb_core.operators.registry import load_registry
from kgb_core.report.grid import Cell, grid
from kgb_core.report.text import counted

_HEADERS = ("file", "operator", "status", "found as", "note")


def kernels(
    pack: Annotated[Path, typer.Argument(metavar="PACK|FILE", help="A directory of kernels, or one file.")],
    operator: Annotated[
        str | None, typer.Option(help="What the files are for, whatever their names.")
    ] = None,
    json: Json = False,
) -> None:
    """Match the files of a pack to operators.

    Exits with 1 if a file is not a kernel for a known operator.
    """
    matching = match_pack(load_pack(pack), load_registry(), operator or "")
    if json:
        info = matching.pack.info
        show_json("kgb.kernels/1", pack=info, files=[_document(match) for match in matching.files])
    else:
        show(_table(matching))
    if not matching.complete:
        raise typer.Exit(ExitCode.FAILED)


def _document(match: FileMatch) -> dict[str, object]:
    document: dict[str, object] = plain_data(match)
    document["candidate"] = plain_data(
        match.candidate and {"name": match.candidate.name, "sha256": match.candidate.sha256}
    )
    return document


def _table(matching: Matching) -> RenderableType:
    matched = sum(match.status is MatchStatus.MATCHED for match in matching.files)
    closing = f"{matched} of {counted(len(matching.files), 'file')} matched in pack {matching.pack.info.name}"
    return Group(grid([_row(match) for match in matching.files], _HEADERS), Text(closing))


def _row(match: FileMatch) -> list[Cell]:
    style = "green" if match.status is MatchStatus.MATCHED else "red"
    rule = match.rule.value if match.rule is not None else ""
    return [match.file, match.operator, Text(match.status.value, style=style), rule, match.message]
