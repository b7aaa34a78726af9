"""A machine below a scratch directory: a sysfs, tools that print recorded outputs, a torch of some vendor."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgb_backend_hygon import HygonBackend
from kgb_core.plugins import Backend
from kgb_core.plugins.assembly import assemble
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
RECORDED = frozenset(file.name for file in DATA.iterdir())
RECORDINGS = (
    ("K100_AI", "hy-smi", "recorded_k100_ai.json", 2),
    ("K100_AI, another word for the vendor", "rocm-smi", "recorded_k100_ai_c3000.json", 1),
    ("Z100L, lines around the JSON", "hy-smi", "recorded_z100l.txt", 1),
)
VARIABLES = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")


recordings = recordings_fixture(
    Recording(name, tool, {"": (DATA / file).read_bytes()}, devices)
    for name, tool, file, devices in RECORDINGS
)


@dataclass(frozen=True)
class Site:
    """A machine.

    Attributes:
        root: its directory; `tools` in it comes first in PATH, `modules` is all that Python finds.
    """

    root: Path

    @property
    def sysfs(self) -> Path:
        """Where its sysfs is."""
        return self.root / "sys"

    @property
    def hygon(self) -> Backend:
        """Hygon's plugin on it."""
        return assemble(HygonBackend(self.sysfs), "hygon")

    @property
    def amd(self) -> Backend:
        """AMD's plugin on it; only the tests about two vendors want it installed."""
        from kgb_backend_amd import AmdBackend
        from kgb_backend_amd.machine import Machine

        return assemble(AmdBackend(Machine(self.sysfs, self.root / "dev", self.root / "rocm")), "amd")

    def pci(self, bus_id: str, vendor: int, device: int, pci_class: int = 0x038000) -> None:
        """Add a function to the PCI bus."""
        place = self.sysfs / "bus/pci/devices" / bus_id
        place.mkdir(parents=True)
        for name, value in (("vendor", vendor), ("device", device), ("class", pci_class)):
            (place / name).write_text(f"{value:#06x}\n")

    def tool(self, name: str, output: str, rc: int = 0) -> None:
        """Add a tool that prints a file of `data/`, or a text."""
        file = DATA / output
        if output not in RECORDED:
            file = self.root / f"{name}.out"
            file.write_text(output, encoding="utf-8")
        program = self.root / "tools" / name
        program.write_text(f"#!/bin/sh\ncat '{file}'\nexit {rc}\n")
        program.chmod(0o755)

    def torch(self, version_file: str) -> None:
        """Add a torch that can't be imported, with this `version.py`."""
        place = self.root / "modules/torch"
        place.mkdir(parents=True)
        (place / "__init__.py").write_text("raise SystemExit('torch was imported')\n")
        (place / "version.py").write_text(version_file)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A machine without hardware, tools or torch, to which each can be added."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "tools").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "modules"), *sys.path])
    return Site(tmp_path)
