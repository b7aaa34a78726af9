"""Whose machine it is: CoreX looks like CUDA and ships an nvidia-smi; bus, cards and wheels tell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kgb_backend_iluvatar import stack
from kgb_backend_iluvatar.stack import Build
from kgb_core.errors import UsageError
from kgb_core.plugins import load_backends
from kgb_core.plugins.probe import Ranking, rank

if TYPE_CHECKING:
    from conftest import Site


@pytest.fixture
def only_packages(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes packages of the site the only ones that can be found."""

    def install(**versions: str) -> None:
        for name, version in versions.items():
            site.package(name, version)
        monkeypatch.setattr(sys, "path", [str(site.packages)])

    return install


@pytest.mark.parametrize(
    ("module", "versions", "build", "corex"),
    [
        ("torch", {"torch": "2.7.1+corex.4.4.0"}, Build("torch", "2.7.1+corex.4.4.0"), "4.4.0"),
        ("torch", {"torch": "2.13.0+cu130"}, Build("torch", "2.13.0+cu130"), None),
        ("torch", {}, None, None),
        ("triton", {"triton": "3.1.0+corex.4.4.0"}, Build("triton", "3.1.0+corex.4.4.0"), "4.4.0"),
        ("triton", {"triton": "3.9.0"}, Build("triton", "3.9.0"), None),
        ("triton", {"flagtree": "0.7.0rc2+iluvatar3.6"}, Build("flagtree", "0.7.0rc2+iluvatar3.6"), None),
        (
            "triton",
            {"triton": "3.9.0", "flagtree": "0.7+iluvatar3.6"},
            Build("flagtree", "0.7+iluvatar3.6"),
            None,
        ),
    ],
)
def test_builds_are_told_by_their_wheels(
    only_packages: Callable[..., None],
    module: str,
    versions: dict[str, str],
    build: Build | None,
    corex: str | None,
) -> None:
    only_packages(**versions)
    found = stack.installed(module)
    assert found == build
    if found is not None:
        assert found.is_corex is any(word in found.version for word in ("corex", "iluvatar"))
        assert found.corex == corex


def test_bus_cards_and_torch_are_evidence(site: Site, only_packages: Callable[..., None]) -> None:
    only_packages(torch="2.7.1+corex.4.4.0")
    site.pci("0000:13:00.0")
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    probe = site.backend.probe()
    assert probe.score == 100
    assert probe.evidence == (
        "PCI vendor 0x1e3e at 0000:13:00.0",
        "ixsmi lists Iluvatar BI-V150",
        "torch 2.7.1+corex.4.4.0 is built for CoreX",
    )


def test_torch_alone_is_told_and_counts_nothing(site: Site, only_packages: Callable[..., None]) -> None:
    only_packages(torch="2.7.1+corex.4.4.0")
    probe = site.backend.probe()
    assert (probe.score, probe.evidence) == (0, ("torch 2.7.1+corex.4.4.0 is built for CoreX",))


def test_another_vendors_torch_is_no_evidence(site: Site, only_packages: Callable[..., None]) -> None:
    only_packages(torch="2.13.0+cu130")
    assert site.backend.probe().evidence == ()


def test_a_tool_of_that_name_with_other_cards_is_no_evidence(site: Site) -> None:
    site.ixsmi("0, NVIDIA H200, GPU-1, 143771, 00000000:19:00.0, 0x233510DE")
    assert site.backend.discover_devices() == []
    assert site.backend.probe().score == 0
    (check,) = site.backend.doctor_checks()
    assert "ixsmi lists another vendor's cards: NVIDIA H200" in check.found


def both(site: Site) -> Ranking:
    """Who wins on this machine, of the two backends that it could be."""
    return rank([site.backend, load_backends(["nvidia"]).get("nvidia")])


ALIAS = "0, Iluvatar BI-V150, GPU-d0, 00000000:13:00.0, {}, 32768, 4.4.0, 7.1, [N/A], Default"
HEADER = "| NVIDIA-SMI 4.4.0       Driver Version: 4.4.0       CUDA Version: 10.2     |"


@pytest.mark.parametrize("pci_id", ["0x00031E3E", "[N/A]"])
def test_corexs_nvidia_smi_makes_no_nvidia(site: Site, pci_id: str) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    site.tool("nvidia-smi", {"--query-gpu": ALIAS.format(pci_id), "": HEADER})
    ranking = both(site)
    assert ranking.best.vendor == "iluvatar"
    assert ranking.probes["nvidia"].score == 0


def test_a_link_to_ixsmi_makes_no_nvidia(site: Site) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    (site.tools / "nvidia-smi").symlink_to(site.tools / "ixsmi")
    assert both(site).best.vendor == "iluvatar"


def test_cards_of_both_vendors_are_a_tie_that_names_both(site: Site) -> None:
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    site.tool("nvidia-smi", {"--query-gpu": _real_h200()})
    with pytest.raises(UsageError) as caught:
        both(site)
    assert "iluvatar and nvidia both claim this machine" in caught.value.what
    assert "ixsmi lists Iluvatar BI-V150" in caught.value.why
    assert "nvidia-smi lists NVIDIA H200" in caught.value.why


def test_the_build_of_torch_breaks_the_tie(site: Site, only_packages: Callable[..., None]) -> None:
    nvidia = load_backends(["nvidia"]).get("nvidia")
    site.ixsmi("hand_made_4x.csv", "recorded_bi_v150_box.txt")
    site.tool("nvidia-smi", {"--query-gpu": _real_h200()})
    only_packages(torch="2.7.1+corex.4.4.0")
    assert rank([site.backend, nvidia]).best.vendor == "iluvatar"


def _real_h200() -> str:
    return "0, NVIDIA H200, GPU-1, 00000000:19:00.0, 0x233510DE, 143771, 570.00.00, 9.0, Disabled, Default"
