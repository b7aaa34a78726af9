"""Whose machine it is: Hygon's stack looks like AMD's, and both plugins are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgb_core.errors import NoDeviceError
from kgb_core.plugins.probe import rank

if TYPE_CHECKING:
    from conftest import Site

HYGON = 0x1D94
AMD = 0x1002
HYGON_TORCH = (
    "__version__ = '2.9.0+das.opt1.dtk2604'\n__hcu_version__ = '26.04'\nhip = '6.3.0'\ncuda = None\n"
)
BARE_HYGON_TORCH = "__version__ = '2.9.0'\n__hcu_version__ = '26.04'\nhip = '6.3.0'\n"
AMD_TORCH = "__version__ = '2.9.0+rocm6.4'\nhip: Optional[str] = '6.4.1'\ncuda: Optional[str] = None\n"


def hygons_machine(site: Site, tool: str = "hy-smi", pci_class: int = 0x038000) -> None:
    """A machine with two DCUs, their driver, and Hygon's torch."""
    site.pci("0000:c1:00.0", HYGON, 0x6210, pci_class)
    site.pci("0000:c2:00.0", HYGON, 0x6210, pci_class)
    site.tool(tool, "recorded_k100_ai.json")
    site.torch(HYGON_TORCH)


def amds_machine(site: Site) -> None:
    """A machine with an AMD GPU, its driver, and PyTorch's ROCm build."""
    site.pci("0000:83:00.0", AMD, 0x74A1, 0x120000)
    site.tool("rocm-smi", "hand_made_mi300x.json")
    site.torch(AMD_TORCH)


@pytest.mark.parametrize("tool", ["hy-smi", "rocm-smi"])
def test_hygons_machine_is_hygons_with_both_plugins(site: Site, tool: str) -> None:
    hygons_machine(site, tool)
    ranking = rank([site.amd, site.hygon])
    assert ranking.best.vendor == "hygon"
    assert ranking.probes["hygon"].score == 100
    assert ranking.probes["hygon"].evidence == (
        "PCI vendor 0x1d94 at 0000:c1:00.0, 0000:c2:00.0",
        f"{tool} lists Hygon K100_AI",
        "torch 2.9.0+das.opt1.dtk2604 is Hygon's build",
    )
    assert ranking.probes["amd"].score == 0


def test_amds_machine_is_amds_with_both_plugins(site: Site) -> None:
    amds_machine(site)
    ranking = rank([site.hygon, site.amd])
    assert ranking.best.vendor == "amd"
    assert ranking.probes["amd"].score == 100
    assert ranking.probes["hygon"].score == 0
    assert site.hygon.discover_devices() == []


def test_each_sees_its_own_where_both_chips_are(site: Site) -> None:
    hygons_machine(site, "hy-smi")
    site.pci("0000:83:00.0", AMD, 0x74A1, 0x120000)
    site.tool("rocm-smi", "hand_made_mi300x.json")
    ranking = rank([site.amd, site.hygon])
    assert (ranking.probes["hygon"].score, ranking.probes["amd"].score) == (100, 90)
    assert ranking.best.vendor == "hygon"  # by its torch, which can use no other chip
    assert [device.name for device in site.hygon.discover_devices()] == ["Hygon K100_AI"] * 2


def test_a_chip_that_is_listed_as_a_bridge_is_found(site: Site) -> None:
    hygons_machine(site, pci_class=0x060000)
    assert site.hygon.probe().score == 100


def test_the_bridges_of_hygons_processors_are_no_chip(site: Site) -> None:
    site.pci("0000:00:00.0", HYGON, 0x1450, 0x060000)
    site.pci("0000:83:00.0", AMD, 0x74A1, 0x120000)
    assert site.hygon.probe().score == 0
    assert rank([site.hygon, site.amd]).best.vendor == "amd"


def test_the_bus_decides_whose_card_a_tool_lists(site: Site) -> None:
    site.tool("rocm-smi", "hand_made_bw.json")
    assert len(site.hygon.discover_devices()) == 2
    site.pci("0000:09:00.0", AMD, 0x74A1)
    assert [device.index for device in site.hygon.discover_devices()] == [1]


@pytest.mark.parametrize(
    ("version", "told"), [(HYGON_TORCH, True), (BARE_HYGON_TORCH, True), (AMD_TORCH, False)]
)
def test_torch_alone_counts_nothing(site: Site, version: str, told: bool) -> None:
    site.torch(version)
    probe = site.hygon.probe()
    assert (probe.score, bool(probe.evidence)) == (0, told)
    with pytest.raises(NoDeviceError):
        rank([site.hygon, site.amd])


def test_the_doctor_says_whose_torch_is_missing(site: Site) -> None:
    hygons_machine(site)
    (only,) = site.hygon.doctor_checks()
    assert only.found == "2 listed by hy-smi: Hygon K100_AI"
    (site.root / "modules/torch/version.py").write_text(AMD_TORCH)
    assert "torch 2.9.0+rocm6.4 is not Hygon's build" in site.hygon.doctor_checks()[1].found


def test_the_doctor_says_what_to_do_without_a_driver(site: Site) -> None:
    assert "no PCI device 1d94:*; hy-smi not found" in site.hygon.doctor_checks()[0].found
    site.pci("0000:c1:00.0", HYGON, 0x6210)
    (check,) = site.hygon.doctor_checks()
    assert "PCI device 1d94:6210 at 0000:c1:00.0" in check.found
    assert check.fix.startswith("install Hygon's driver")
