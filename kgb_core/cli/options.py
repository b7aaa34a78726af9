"""Options and arguments that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
BundlePath = Annotated[Path, typer.Argument(metavar="BUNDLE", help="The directory that kgb run wrote.")]
BundlePaths = Annotated[
    list[Path], typer.Argument(metavar="BUNDLE...", help="Directories that kgb run or kgb merge wrote.")
]
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend", metavar="NAME", help="Only this backend, or several; goes before KGB_BACKENDS."
    ),
]
