"""The conformance record that a plugin brings along: a file in its package, found without importing."""

from __future__ import annotations

import importlib.util
from importlib.metadata import entry_points
from pathlib import Path

from kgb_core.plugins.installed import GROUP

FILE = "conformance.json"


def shipped_conformance(vendor: str) -> Path | None:
    """The file `conformance.json` beside the package of a backend; `None` where there is none.

    Args:
        vendor: the name of its entry point.
    """
    for point in entry_points(group=GROUP, name=vendor):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        for folder in (spec.submodule_search_locations if spec else None) or ():
            file = Path(folder, FILE)
            if file.is_file():
                return file
    return None
