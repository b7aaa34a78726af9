"""The iluvatar backend as it is installed, tools that print recorded outputs, and machines to look at."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgb_backend_iluvatar import IluvatarBackend
from kgb_backend_iluvatar.machine import Machine
from kgb_core.plugins import Backend, load_backends
from kgb_core.plugins.assembly import assemble
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
RECORDED = frozenset(file.name for file in DATA.iterdir())
recordings = recordings_fixture(
    [
        Recording.of_files(
            "ixsmi", DATA, {"--query-gpu": "hand_made_4x.csv", "": "recorded_bi_v150_box.txt"}, devices=2
        ),
        Recording.of_files(
            "ixsmi",
            DATA,
            {"--query-gpu": "hand_made_refusal.txt", "": "recorded_bi_v100_box.txt"},
            devices=None,
        ),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["iluvatar"]).get("iluvatar")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A machine without hardware, tools, packages or settings, to which each can be added."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    tools, packages = tmp_path / "tools", tmp_path / "packages"
    tools.mkdir()
    packages.mkdir()
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return Site(tmp_path, tools, packages)


@dataclass(frozen=True)
class Site:
    """A machine below a scratch directory.

    Attributes:
        root: the directory.
        tools: the directory that comes first in PATH.
        packages: a directory for Python packages.
    """

    root: Path
    tools: Path
    packages: Path

    @property
    def machine(self) -> Machine:
        """Where the plugin looks."""
        return Machine(sysfs=self.root / "sys", dev=self.root / "dev", corex=self.root / "corex")

    @property
    def backend(self) -> Backend:
        """The backend on this machine."""
        return assemble(IluvatarBackend(self.machine), "iluvatar")

    def tool(self, name: str, answers: dict[str, str], rc: int = 0, folder: Path | None = None) -> None:
        """Add a tool.

        Args:
            name: the program.
            answers: what it prints, by a word of its arguments, the first wins; a file of `data/`, or text.
            rc: its exit code.
            folder: where it lies; in PATH when not given.
        """
        lines = [f"*'{word}'*) cat '{self._file(text)}';;" for word, text in answers.items()]
        program = (folder or self.tools) / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text('#!/bin/sh\ncase " $* " in\n' + "\n".join(lines) + f"\nesac\nexit {rc}\n")
        program.chmod(0o755)

    def ixsmi(self, query: str = "", box: str = "", rc: int = 0) -> None:
        """Add an ixsmi that answers a query and prints a box."""
        self.tool("ixsmi", {"--query-gpu": query, "": box}, rc=rc)

    def _file(self, text: str) -> Path:
        if text in RECORDED:
            return DATA / text
        written = self.root / f"printed{len(list(self.root.glob('printed*')))}"
        written.write_text(text, encoding="utf-8")
        return written

    def pci(self, bus_id: str, vendor: int = 0x1E3E, device: int = 0x0003) -> None:
        """Add an accelerator to the PCI bus."""
        place = self.machine.sysfs / "bus/pci/devices" / bus_id
        place.mkdir(parents=True)
        for name, value in (("vendor", vendor), ("device", device), ("class", 0x120000)):
            (place / name).write_text(f"{value:#06x}\n")

    def package(self, name: str, version: str) -> None:
        """Add the metadata of an installed package; importing it is an error."""
        place = self.packages / f"{name}-{version}.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        module = self.packages / name
        module.mkdir()
        (module / "__init__.py").write_text(f"raise SystemExit('{name} was imported')\n")
