"""The amd backend as it is installed, tools that print recorded outputs, and trees of a machine's sysfs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgb_backend_amd import AmdBackend
from kgb_backend_amd.machine import Machine
from kgb_core.plugins import Backend, load_backends
from kgb_core.plugins.assembly import assemble
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
RECORDED = frozenset(file.name for file in DATA.iterdir())
recordings = recordings_fixture(
    [
        Recording.of_files(
            "amd-smi",
            DATA,
            {
                "static --json": "recorded_strix_halo_static.json",
                "list --json": "recorded_strix_halo_list.json",
            },
            devices=1,
        ),
        Recording.of_files(
            "amd-smi",
            DATA,
            {"static --json": "hand_made_mi300x_static.json", "list --json": "hand_made_mi300x_list.json"},
            devices=2,
        ),
        Recording.of_files("rocm-smi", DATA, {"--json": "recorded_rx7900xt.json"}, devices=1),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["amd"]).get("amd")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A machine without hardware, tools or settings, to which each can be added."""
    for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return Site(tmp_path, tools)


@dataclass(frozen=True)
class Site:
    """A machine below a scratch directory.

    Attributes:
        root: the directory.
        tools: the directory that comes first in PATH.
    """

    root: Path
    tools: Path

    @property
    def machine(self) -> Machine:
        """Where the plugin looks."""
        return Machine(sysfs=self.root / "sys", dev=self.root / "dev", rocm=self.root / "rocm")

    @property
    def backend(self) -> Backend:
        """The backend on this machine."""
        return assemble(AmdBackend(self.machine), "amd")

    def tool(self, name: str, answers: dict[str, str], rc: int = 0, folder: Path | None = None) -> None:
        """Add a tool.

        Args:
            name: the program.
            answers: what it prints, by a word of its arguments; a file of `data/`, or text. The first wins.
            rc: its exit code.
            folder: where it lies; in PATH when not given.
        """
        lines = [f"*'{word}'*) cat '{self._file(text)}';;" for word, text in answers.items()]
        program = (folder or self.tools) / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text('#!/bin/sh\ncase " $* " in\n' + "\n".join(lines) + f"\nesac\nexit {rc}\n")
        program.chmod(0o755)

    def _file(self, text: str) -> Path:
        if text in RECORDED:
            return DATA / text
        written = self.root / f"printed{len(list(self.root.glob('printed*')))}"
        written.write_text(text, encoding="utf-8")
        return written

    def pci(self, bus_id: str, vendor: int = 0x1002, device: int = 0x74A1, pci_class: int = 0x120000) -> None:
        """Add a function to the PCI bus."""
        place = self.machine.sysfs / "bus/pci/devices" / bus_id
        place.mkdir(parents=True)
        for name, value in (("vendor", vendor), ("device", device), ("class", pci_class)):
            (place / name).write_text(f"{value:#06x}\n")

    def node(self, number: int, **properties: int) -> Path:
        """Add a node to the kernel's compute topology; returns its directory."""
        place = self.machine.sysfs / "class/kfd/kfd/topology/nodes" / str(number)
        place.mkdir(parents=True)
        lines = [f"{name} {value}\n" for name, value in properties.items()]
        (place / "properties").write_text("".join(lines))
        return place

    def two_mi300x(self) -> None:
        """Add amd-smi with two GPUs, which the kernel counts the other way round."""
        answers = {"static --json": "hand_made_mi300x_static.json", "list": "hand_made_mi300x_list.json"}
        self.tool("amd-smi", answers)
        self.mi300x(2, location=0x0300, unique_id=0xA1)
        self.mi300x(3, location=0x8300, unique_id=0xA0)

    def mi300x(self, number: int, location: int, unique_id: int) -> Path:
        """Add the node of an MI300X."""
        return self.node(
            number,
            cpu_cores_count=0,
            simd_count=1216,
            simd_per_cu=4,
            gfx_target_version=90402,
            vendor_id=0x1002,
            device_id=0x74A1,
            location_id=location,
            domain=0,
            unique_id=unique_id,
        )
