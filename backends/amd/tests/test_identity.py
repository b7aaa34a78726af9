"""Whose machine it is: AMD's, Hygon's (whose stack looks the same), or a laptop with AMD graphics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_backend_amd import torch_build
from kgb_backend_amd.torch_build import TorchBuild

if TYPE_CHECKING:
    from conftest import Site

FAKE_TORCH = {
    "amd": "__version__ = '2.9.0+rocm6.4'\ncuda: Optional[str] = None\nhip: Optional[str] = '6.4.1'\n",
    "amd container": "__version__ = '2.7.1+gitdeadbee'\ncuda = None\nhip = '6.4.43482-0f2d60242'\n",
    "hygon": "__version__ = '2.9.0+das.opt1.dtk2604'\n__hcu_version__ = '26.04'\nhip = '6.3.0'\n",
    "nvidia": "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n",
    "cpu": "__version__ = '2.13.0+cpu'\ncuda = None\nhip = None\n",
    "broken": "",
}


@pytest.fixture
def torch_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that comes first in `sys.path`, for a torch that raises when it is imported."""
    monkeypatch.setattr(sys, "path", [str(tmp_path / "modules")])
    return tmp_path / "modules"


def install(folder: Path, kind: str) -> None:
    """Put a torch of some vendor there."""
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text("raise SystemExit('torch was imported')\n")
    (folder / "torch" / "version.py").write_text(FAKE_TORCH[kind])


@pytest.mark.parametrize(
    ("kind", "build"),
    [
        ("amd", TorchBuild("2.9.0+rocm6.4", "6.4.1", is_hygon=False)),
        ("amd container", TorchBuild("2.7.1+gitdeadbee", "6.4.43482-0f2d60242", is_hygon=False)),
        ("hygon", TorchBuild("2.9.0+das.opt1.dtk2604", "6.3.0", is_hygon=True)),
        ("nvidia", TorchBuild("2.13.0+cu130", None, is_hygon=False)),
        ("cpu", TorchBuild("2.13.0+cpu", None, is_hygon=False)),
        ("broken", TorchBuild("?", None, is_hygon=False)),
    ],
)
def test_the_build_of_torch_is_read_from_its_files(torch_of: Path, kind: str, build: TorchBuild) -> None:
    install(torch_of, kind)
    assert torch_build.installed() == build
    assert build.is_ours is kind.startswith("amd")


def test_no_torch_is_no_build(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    assert torch_build.installed([str(tmp_path)]) is None
    (tmp_path / "torch" / "__init__.py").touch()
    assert torch_build.installed([str(tmp_path)]) is None


def test_bus_driver_and_torch_are_evidence(site: Site, torch_of: Path) -> None:
    install(torch_of, "amd")
    site.pci("0000:83:00.0")
    site.tool("amd-smi", {"static --json": "hand_made_mi300x_static.json"})
    probe = site.backend.probe()
    assert probe.score == 100
    assert probe.evidence == (
        "PCI vendor 0x1002 at 0000:83:00.0",
        "amd-smi lists AMD Instinct MI300X",
        "torch 2.9.0+rocm6.4 is built for HIP 6.4.1",
    )


def test_torch_alone_is_told_and_counts_nothing(site: Site, torch_of: Path) -> None:
    install(torch_of, "amd")
    assert site.backend.probe().score == 0
    assert site.backend.probe().evidence == ("torch 2.9.0+rocm6.4 is built for HIP 6.4.1",)


@pytest.mark.parametrize("torch", ["hygon", "cpu"])
def test_a_machine_of_hygons_is_not_amds(site: Site, torch_of: Path, torch: str) -> None:
    install(torch_of, torch)
    site.pci("0000:c1:00.0", vendor=0x1D94, device=0x6210, pci_class=0x038000)
    site.node(1, simd_count=480, vendor_id=0x1D94, gfx_target_version=90208)
    site.tool("rocm-smi", {"--json": "hand_made_hygon.json"})
    assert site.backend.probe().model_dump() == {"score": 0, "evidence": ()}
    assert site.backend.discover_devices() == []
    (check,) = site.backend.doctor_checks()
    assert "rocm-smi lists another vendor's cards: DCU K100_AI" in check.found
    assert "kfd lists another vendor's cards: PCI vendor 0x1d94" in check.found


def test_hygons_card_is_told_by_its_place_on_the_bus_whatever_it_is_called(site: Site) -> None:
    site.pci("0000:c1:00.0", vendor=0x1D94)
    site.tool("rocm-smi", {"--json": '{"card0": {"Card Series": "AMD GPU", "PCI Bus": "0000:C1:00.0"}}'})
    assert site.backend.discover_devices() == []


def test_the_same_words_at_amds_place_are_amds(site: Site) -> None:
    site.pci("0000:c1:00.0", vendor=0x1002)
    site.tool("rocm-smi", {"--json": '{"card0": {"Card Series": "DCU", "PCI Bus": "0000:C1:00.0"}}'})
    assert [device.name for device in site.backend.discover_devices()] == ["DCU"]


def test_a_display_without_the_compute_driver_is_no_accelerator(site: Site) -> None:
    site.pci("0000:c4:00.0", device=0x1900, pci_class=0x030000)
    probe = site.backend.probe()
    assert probe.score == 0
    assert "is a display" in probe.evidence[0]


@pytest.mark.parametrize("pci_class", [0x120000, 0x038000])
def test_an_accelerator_without_its_driver_is_evidence(site: Site, pci_class: int) -> None:
    site.pci("0000:83:00.0", pci_class=pci_class)
    assert site.backend.probe().score == 40


def test_a_desktop_card_with_the_compute_driver_is_evidence(site: Site) -> None:
    site.pci("0000:03:00.0", device=0x744C, pci_class=0x030000)
    site.node(1, simd_count=168, vendor_id=0x1002, gfx_target_version=110000)
    probe = site.backend.probe()
    assert (probe.score, probe.evidence[1]) == (90, "kfd lists AMD GPU gfx1100")
