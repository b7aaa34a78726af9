"""Where the operating system and ROCm show the hardware; a test puts another tree there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from kgb_core.plugins.tools import SYSFS


@dataclass(frozen=True)
class Machine:
    """The places that are looked at.

    Attributes:
        sysfs: where sysfs is mounted.
        dev: the directory of device files.
        rocm: where ROCm is installed; its tools are often not in PATH.
    """

    sysfs: Path = SYSFS
    dev: Path = Path("/dev")
    rocm: Path = Path("/opt/rocm")

    def tool(self, name: str) -> str:
        """The program of that name: the one in PATH, else ROCm's own."""
        own = shutil.which(self.rocm / "bin" / name)
        return str(own) if own and shutil.which(name) is None else name

    def rocm_version(self) -> str | None:
        """The version of the installed ROCm, as its own file gives it."""
        try:
            text = (self.rocm / ".info" / "version").read_text(errors="replace")
        except OSError:
            return None
        return text.strip().partition("-")[0] or None
