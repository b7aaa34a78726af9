"""`kgb.toml`: found beside the work or above it, and turned into interpreters that were asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import typer

from kgb_core.cli.settings import Settings
from kgb_core.cli.suggest import close_to
from kgb_core.errors import UsageError
from kgb_core.models.config import Config
from kgb_core.plugins.installed import installed_backends
from kgb_core.plugins.interpreter import Interpreter, examine
from kgb_core.toml import read_toml

FILE = "kgb.toml"


def interpreters(vendors: Iterable[str], file: Path | None) -> dict[str, Interpreter]:
    """The interpreters that the configuration names for some backends, each asked whether it can be used.

    Args:
        vendors: the backends that are about to be used; of others nothing is started.
        file: the configuration; `None` looks for `kgb.toml` here and above.

    Raises:
        UsageError: the file is wrong, or an interpreter can't be used.
    """
    found = file or nearest(Path.cwd())
    if found is None:
        return {}
    environments = read_toml(found, Config).environments
    known = installed_backends()
    for name in environments:
        if name not in known:
            raise UsageError(f"{found} names no backend: environments.{name}", close_to(name, known))
    return {
        vendor: examine(_path(found, environments[vendor].python), vendor)
        for vendor in dict.fromkeys(vendors)
        if vendor in environments
    }


def configured(context: typer.Context) -> Path | None:
    """The file that the command line names."""
    settings = context.find_object(Settings)
    return settings.config if settings else None


def nearest(start: Path) -> Path | None:
    """The `kgb.toml` of a directory, or of the nearest one above it.

    Args:
        start: an absolute path.
    """
    files = (directory / FILE for directory in (start, *start.parents))
    return next((file for file in files if file.exists() or file.is_symlink()), None)


def _path(file: Path, python: str) -> str:
    """A name without a slash is looked up on PATH, as a shell does."""
    if "/" not in python:
        return python
    return str(file.resolve().parent / Path(python).expanduser())
