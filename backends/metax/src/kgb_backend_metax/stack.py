"""The vendor's software, looked up in files and metadata: importing it is slow, and may need the chip."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from kgb_core.plugins.environment import module_version

TOOLKIT_VARIABLE = "MACA_PATH"
TOOLKIT = Path("/opt/maca")
"""Where the vendor's installer puts it."""
_MARK = "metax"
"""In the local part of the versions of MetaX's builds: `2.8.0+metax3.7.2.0`."""
_TRITON_NAMES = ("metax", "maca")
"""FlagTree's name of the back end, and that of its target."""
_VERSION = re.compile(r"[Vv]ersion\s*:\s*(\S+)|^\s*([0-9][0-9.]+)\s*$", re.MULTILINE)


def is_metax_build(version: str | None) -> bool:
    """True for a version of a package that MetaX built."""
    return version is not None and _MARK in version.lower()


def torch_version() -> str | None:
    """The version of torch, whoever built it; `None` where it is not installed."""
    return module_version("torch")


def triton_backend() -> str | None:
    """What the installed Triton calls its MACA back end; `None` where it has none."""
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
    """The directory of MACA, whose compiler MetaX's Triton calls; `None` without one.

    Args:
        environment: may say where it is.
        usual: where it is otherwise.
    """
    named = environment.get(TOOLKIT_VARIABLE)
    place = Path(named) if named else usual
    return place if place.is_dir() else None


def toolkit_version(place: Path | None) -> str | None:
    """The version of MACA, as its `Version.txt` has it; `None` where it can't be read.

    Args:
        place: the directory of MACA.
    """
    if place is None:
        return None
    try:
        text = (place / "Version.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = _VERSION.search(text)
    return (found[1] or found[2]) if found else None
