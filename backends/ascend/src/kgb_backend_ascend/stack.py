"""Huawei's software, looked up in files and metadata: importing it is slow, and needs CANN."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from kgb_core.plugins.environment import module_version

ROOT = Path("/usr/local/Ascend")
"""Where Huawei's installers put driver and toolkit."""
TOOLKIT_VARIABLE = "ASCEND_HOME_PATH"
"""Set by the toolkit's `set_env.sh`."""
_TOOLKITS = ("cann", "ascend-toolkit/latest")
_TRITON_NAME = "ascend"
_DRIVER = re.compile(r"^Version\s*=\s*(\S+)", re.MULTILINE)
_TOOLKIT = re.compile(r"^version\s*=\s*(\S+)", re.MULTILINE)
_PARTS = re.compile(r"^(\w+?)_running_version\s*=\s*\[?(?:[^\]:\n]*:)?([^\]:\s]+)\]?", re.MULTILINE)


def torch_npu_version() -> str | None:
    """The version of torch_npu; `None` where it is not installed."""
    return module_version("torch_npu")


def triton_backend() -> str | None:
    """What the installed Triton calls its Ascend back end; `None` where it has none."""
    return _TRITON_NAME if _TRITON_NAME in _triton_backends() else None


def _triton_backends() -> set[str]:
    """Back ends of the installed Triton: newer versions have entry points, older ones directories."""
    declared = {point.name for point in entry_points(group="triton.backends")}
    spec = find_spec("triton")
    roots = spec.submodule_search_locations or [] if spec else []
    drivers = [driver for root in roots for driver in Path(root, "backends").glob("*/driver.py")]
    return declared | {driver.parent.name for driver in drivers}


def toolkit(environment: Mapping[str, str] = os.environ, root: Path = ROOT) -> Path | None:
    """The directory of the CANN toolkit; `None` without one.

    Args:
        environment: says where it is, if the toolkit's script was sourced.
        root: where it is otherwise.
    """
    named = environment.get(TOOLKIT_VARIABLE)
    places = [Path(named)] if named else [root / name for name in _TOOLKITS]
    return next((place for place in places if place.is_dir()), None)


def script(environment: Mapping[str, str] = os.environ, root: Path = ROOT) -> Path | None:
    """The toolkit's `set_env.sh`, in it or beside it; `None` where there is none.

    Args:
        environment: as for `toolkit`.
        root: as for `toolkit`.
    """
    place = toolkit(environment, root)
    if place is None:
        return None
    files = (folder / "set_env.sh" for folder in (place, place.parent))
    return next((file for file in files if file.is_file()), None)


def driver_version(root: Path = ROOT) -> str | None:
    """The version in the driver's `version.info`; `None` where it can't be read.

    Args:
        root: where Huawei's software is.
    """
    found = _DRIVER.search(_content(root / "driver/version.info"))
    return found[1] if found else None


def toolkit_versions(place: Path | None) -> dict[str, str]:
    """The versions of the toolkit, and of its parts as `version.cfg` lists them.

    Args:
        place: the directory of the toolkit.
    """
    if place is None:
        return {}
    parts = _PARTS.findall(_content(place / "version.cfg"))
    found = {f"cann {part}": version for part, version in parts}
    whole = next(_installed(place), None)
    return {**found, "cann": whole} if whole else found


def _installed(place: Path) -> Iterator[str]:
    """What the installer noted, in a folder for each kind of processor."""
    for file in sorted(place.glob("*-linux/ascend_toolkit_install.info")):
        yield from _TOOLKIT.findall(_content(file))


def _content(file: Path) -> str:
    """The text of a file; empty where it can't be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
