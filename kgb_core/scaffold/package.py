"""Writing a package: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from kgb_core.errors import UsageError
from kgb_core.scaffold.names import Names
from kgb_core.version import __version__

FILES = {
    "pyproject.toml": "pyproject.toml.tmpl",
    "README.md": "README.md.tmpl",
    "LICENSE": "LICENSE.tmpl",
    "src/$module/__init__.py": "init.py.tmpl",
    "src/$module/plugin.py": "plugin.py.tmpl",
    "src/$module/identity.py": "identity.py.tmpl",
    "src/$module/discovery.py": "discovery.py.tmpl",
    "src/$module/chips.py": "chips.py.tmpl",
    "src/$module/compiling.py": "compiling.py.tmpl",
    "src/$module/py.typed": "py.typed.tmpl",
    "tests/test_conformance.py": "test_conformance.py.tmpl",
}
"""Each file of a new package, and the template that it is made from."""
TO_FILL = {"src/$module/identity.py": "identity", "src/$module/discovery.py": "discover"}
"""The functions that its author fills in, by file."""


def package_of(names: Names) -> dict[str, str]:
    """The files of a new package: their text by their path below its directory.

    Args:
        names: what it is called.
    """
    fields = _fields(names)
    templates = files("kgb_core.scaffold") / "templates"
    return {
        Template(path).substitute(fields): Template(
            (templates / name).read_text(encoding="utf-8")
        ).substitute(fields)
        for path, name in FILES.items()
    }


def functions_to_fill(names: Names) -> dict[str, str]:
    """The functions that its author fills in, by the path of their file.

    Args:
        names: what the package is called.
    """
    return {Template(path).substitute(_fields(names)): function for path, function in TO_FILL.items()}


def _fields(names: Names) -> dict[str, str]:
    major, minor = __version__.split(".")[:2]
    return {
        "vendor": names.vendor,
        "distribution": names.distribution,
        "module": names.module,
        "class_name": names.class_name,
        "display_name": names.display_name,
        "variable": f"{names.vendor.upper()}_VISIBLE_DEVICES",
        "tool": f"{names.vendor.replace('_', '-')}-smi",
        "core": f">={major}.{minor},<{major}.{int(minor) + 1}",
    }


def write_package(texts: Mapping[str, str], place: Path) -> None:
    """Write the files of a package. Where one can't be written, none is left.

    Args:
        texts: their contents, by path below the directory.
        place: the directory; made if it doesn't exist, and empty if it does.

    Raises:
        UsageError: it is a file, is not empty, or can't be written to.
    """
    try:
        _refuse_what_is_there(place)
        _write(texts, place.resolve())
    except OSError as error:
        why = f"{error.filename or place}: {error.strerror or error}."
        raise UsageError(f"{place} can't be written.", why, "name another directory with -o.") from error


def _refuse_what_is_there(place: Path) -> None:
    if not place.exists():
        return
    if not place.is_dir():
        raise UsageError(f"{place} is no directory.", "a file has that name.", "name another with -o.")
    found = sorted(entry.name for entry in place.iterdir())
    if found:
        raise UsageError(
            f"{place} is not empty.",
            f"it has {found[0]}" + (f" and {len(found) - 1} more." if found[1:] else "."),
            "name another directory with -o, or empty this one.",
        )


def _write(texts: Mapping[str, str], place: Path) -> None:
    """Write into a scratch directory on the same file system, then move: a move doesn't stop halfway."""
    base = next(folder for folder in (place, *place.parents) if folder.is_dir())
    with TemporaryDirectory(prefix=".kgb-new-backend-", dir=base) as scratch:
        for path, text in texts.items():
            file = scratch / place.relative_to(base) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        _move_all(Path(scratch), base)


def _move_all(source: Path, target: Path) -> None:
    moved: list[Path] = []
    try:
        for entry in sorted(source.iterdir()):
            moved.append(entry.rename(target / entry.name))
    except OSError:
        for entry in moved:
            shutil.move(entry, source / entry.name)
        raise
