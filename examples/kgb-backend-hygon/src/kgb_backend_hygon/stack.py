"""Which torch, Triton and toolkit are installed, read from files and metadata: nothing is imported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

TOOLKIT = Path("/opt/dtk")
"""Where DTK is installed."""
_ENTRY = re.compile(r"^(__version__|hip)\b[^=\n]*=\s*(['\"])([^'\"\n]*)\2", re.MULTILINE)
_HYGON = re.compile(r"__hcu_version__|\bdtk|\.dtk|\+das\b", re.IGNORECASE)
"""`torch.__hcu_version__` (FlagGems), and versions such as 2.9.0+das.opt1.dtk2604."""
TRITON_NAME = "hcu"
"""FlagTree's name of Hygon's back end; its target is called hip, as another vendor's is."""


@dataclass(frozen=True)
class TorchBuild:
    """A torch that could be imported.

    Attributes:
        version: its version.
        hip: the HIP that it was built with; another vendor's builds have one too.
        is_ours: true for Hygon's build.
    """

    version: str
    hip: str | None
    is_ours: bool


def torch_build(path: Sequence[str] | None = None) -> TorchBuild | None:
    """The torch that `import torch` would find; `None` without one.

    Args:
        path: where to look, `sys.path` when not given.
    """
    spec = PathFinder.find_spec("torch", path)
    if spec is None or not spec.origin:
        return None
    try:
        text = Path(spec.origin).with_name("version.py").read_text(errors="replace")
    except OSError:
        return None
    told = {match[1]: match[3] for match in _ENTRY.finditer(text)}
    return TorchBuild(told.get("__version__", "?"), told.get("hip"), bool(_HYGON.search(text)))


def has_triton(path: Sequence[str] | None = None) -> bool:
    """True where the installed Triton has Hygon's back end: by entry point, in older versions by directory.

    Args:
        path: where to look, `sys.path` when not given.
    """
    if any(point.name == TRITON_NAME for point in entry_points(group="triton.backends")):
        return True
    spec = PathFinder.find_spec("triton", path)
    roots = spec.submodule_search_locations or [] if spec else []
    return any(Path(root, "backends", TRITON_NAME, "driver.py").is_file() for root in roots)


def versions(toolkit: Path = TOOLKIT) -> dict[str, str]:
    """DTK, and the HIP of torch where that is Hygon's build; what is not known is left out.

    Args:
        toolkit: where DTK is installed.
    """
    build = torch_build()
    try:
        dtk = (toolkit / ".dtk_version").read_text(errors="replace").strip()
    except OSError:
        dtk = ""
    found = {"dtk": dtk, "hip": build.hip if build and build.is_ours else None}
    return {name: version for name, version in found.items() if version}
