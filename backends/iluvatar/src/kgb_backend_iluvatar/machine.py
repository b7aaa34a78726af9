"""Where the operating system and CoreX show the hardware; a test puts another tree there."""

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
        corex: where CoreX is installed.
    """

    sysfs: Path = SYSFS
    dev: Path = Path("/dev")
    corex: Path = Path("/usr/local/corex")

    def tool(self, name: str) -> str:
        """The program of that name: the one in PATH, else CoreX's own."""
        own = shutil.which(self.corex / "bin" / name)
        return str(own) if own and shutil.which(name) is None else name

    def libraries(self, name: str) -> list[str]:
        """Where a library of CoreX may lie: its own directories, then wherever the loader looks."""
        own = [self.corex / folder / name for folder in ("lib64", "lib")]
        return [str(place) for place in own if place.is_file()] + [name]

    def packages(self) -> Path:
        """CoreX's Python packages, which its installer adds to no interpreter."""
        return self.corex / "lib64/python3/dist-packages"

    def device_files(self) -> list[Path]:
        """The device files of its cards."""
        return sorted(self.dev.glob("iluvatar[0-9]*"))
