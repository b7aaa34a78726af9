"""Which torch is installed, read from its files: importing it would be slow, and is not a hook's business."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

_ENTRY = re.compile(r"^(__version__|hip|cuda)\b[^=\n]*=\s*(['\"])([^'\"\n]*)\2", re.MULTILINE)
_HYGON = re.compile(r"dtk|hcu|hygon", re.IGNORECASE)


@dataclass(frozen=True)
class TorchBuild:
    """A torch that could be imported.

    Attributes:
        version: its version.
        hip: the HIP that it was built with; `None` for a build that is not for ROCm.
        is_hygon: true for Hygon's build, which sets `hip` too.
    """

    version: str
    hip: str | None
    is_hygon: bool

    @property
    def is_ours(self) -> bool:
        """True for a build for AMD's GPUs."""
        return self.hip is not None and not self.is_hygon


def installed(path: Sequence[str] | None = None) -> TorchBuild | None:
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
