"""`kgb new-backend`: a package for a chip that has no backend yet."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from kgb_core.cli.options import Json
from kgb_core.cli.output import emit, show_json
from kgb_core.plugins.installed import installed_backends
from kgb_core.report.text import counted
from kgb_core.scaffold.names import Names, names_for
from kgb_core.scaffold.package import functions_to_fill, package_of, write_package


def new_backend(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The id of the chip's vendor: mychip.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Where to; ./kgb-backend-NAME when not given."),
    ] = None,
    json: Json = False,
) -> None:
    """Write the package of a new backend, with two functions to fill in."""
    names = names_for(name, installed_backends())
    place = out or Path(names.distribution)
    texts = package_of(names)
    write_package(texts, place)
    if json:
        _show_json(names, place, list(texts))
    else:
        emit(_told(names, place, len(texts)))


def _show_json(names: Names, place: Path, paths: list[str]) -> None:
    fill = [{"file": path, "function": name} for path, name in functions_to_fill(names).items()]
    show_json(
        "kgb.new-backend/1",
        backend=names.vendor,
        distribution=names.distribution,
        directory=str(place),
        files=paths,
        fill=fill,
    )


def _told(names: Names, place: Path, count: int) -> str:
    filled = [f"{path}  {function}()" for path, function in functions_to_fill(names).items()]
    where = shlex.quote(str(place))
    steps = [f"pip install -e {where}", "kgb doctor", f"pytest {where}"]
    lines = [f"{names.distribution}: {counted(count, 'file')} in {place}", ""]
    lines += _labelled("fill in", filled) + _labelled("then", steps)
    return "\n".join(lines) + "\n"


def _labelled(label: str, lines: list[str]) -> list[str]:
    return [f"{label if not number else '':<9}{line}" for number, line in enumerate(lines)]
