"""The vendor's software, looked up in files and metadata: importing it is slow, and may need the chip."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kgb_core.plugins.environment import module_version

TOOLKIT_VARIABLE = "MUSA_HOME"
TOOLKIT = Path("/usr/local/musa")
"""Where the vendor's installer puts it."""
_TRITON_NAMES = ("mthreads", "musa")
"""FlagTree's name of the back end, and that of its target."""


def torch_musa_version() -> str | None:
    """The version of torch_musa; `None` where it is not installed."""
    return module_version("torch_musa")


def triton_backend() -> str | None:
    """What the installed Triton calls its MUSA back end; `None` where it has none."""
    offered = _triton_backends()
    return next((name for name in _TRITON_NAMES if name in offered), None)


def _triton_backends() -> set[str]:
    """Back ends of the installed Triton: newer versions have entry points, older ones directories."""
    declared = {point.name for point in entry_points(group="triton.backends")}
    spec = find_spec("triton")
    roots = spec.submodule_search_locations or [] if spec else []
    drivers = [driver for root in roots for driver in Path(root, "backends").glob("*/driver.py")]
    return declared | {driver.parent.name for driver in drivers}


def toolkit(environment: Mapping[str, str] = os.environ, usual: Path = TOOLKIT) -> Path | None:
    """The directory of the MUSA toolkit, whose compiler the vendor's Triton calls; `None` without one.

    Args:
        environment: may say where it is.
        usual: where it is otherwise.
    """
    named = environment.get(TOOLKIT_VARIABLE)
    place = Path(named) if named else usual
    return place if place.is_dir() else None


def toolkit_versions(place: Path | None) -> dict[str, str]:
    """The versions of the toolkit's parts, as its `version.json` lists them; empty where it can't be read.

    Args:
        place: the directory of the toolkit.
    """
    if place is None:
        return {}
    try:
        listed: Any = json.loads((place / "version.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    parts = listed.items() if isinstance(listed, dict) else ()
    return {f"musa {part}": str(facts["version"]) for part, facts in parts if _has_version(facts)}


def _has_version(facts: object) -> bool:
    return isinstance(facts, dict) and bool(facts.get("version"))
