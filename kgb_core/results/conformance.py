"""Conformance records as files: read, checked for whom they are, and kept in a bundle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from kgb_core.errors import BundleError, UsageError
from kgb_core.models.conformance import CONFORMANCE_SCHEMA, Conformance
from kgb_core.results.documents import read_document

FOLDER = "conformance"
"""Inside a bundle: one record for each backend that has one."""


def conformance_path(vendor: str) -> str:
    """Where the record of a backend lies inside a bundle."""
    return f"{FOLDER}/{vendor}.json"


def read_conformance(path: Path) -> Conformance:
    """A record that `kgb conformance` wrote.

    Raises:
        BundleError: there is no such file, or it holds something else.
    """
    found = read_document(path, Conformance, CONFORMANCE_SCHEMA)
    if found is None:
        raise BundleError(f"no conformance record {path}.", "", "kgb conformance --backend NAME writes one")
    return found


def chosen_conformance(files: Iterable[Path], shipped: Mapping[str, Path | None]) -> list[Conformance]:
    """The record for each backend of a run: the one that was given, else the one that its plugin ships.

    Args:
        files: what was given.
        shipped: the file that each backend's plugin brings along, by vendor; `None` where it brings none.

    Raises:
        BundleError: a file is no conformance record.
        UsageError: a given one is for no backend of the run, or two are for the same.
    """
    given: dict[str, Conformance] = {}
    for file in files:
        record = read_conformance(file)
        name = record.backend.name
        if name not in shipped or name in given:
            why = "another file is too" if name in given else f"the run uses {', '.join(shipped)}"
            raise UsageError(
                f"{file} is the record of {name}.", why, "give one file for each backend of the run"
            )
        given[name] = record
    brought = {name: read_conformance(file) for name, file in shipped.items() if file and name not in given}
    return list({**brought, **given}.values())
