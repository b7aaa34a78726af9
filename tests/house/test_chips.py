"""The page on chips names every plugin, its targets, those with peaks, and every chip that a bundle is of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core.plugins import load_backends
from kgb_core.plugins.installed import installed_backends

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

PAGE = Path("docs/reference/chips.md")
RESULTS = "benchmarks/results"
ENTRY = re.compile(r'^\[project\.entry-points\."kgb\.backends"\]\n(\w+) = ', re.MULTILINE)
ROW = re.compile(r"^\| (run on hardware|compiled|recorded|targets|peaks) \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")


def described(page: str) -> dict[str, dict[str, str]]:
    """The rows of each plugin's table."""
    parts = re.split(r"^## (\w+)$", page, flags=re.MULTILINE)
    return {vendor: dict(ROW.findall(text)) for vendor, text in zip(parts[1::2], parts[2::2], strict=True)}


def plugins(tree: Tree) -> set[str]:
    """The entry points of the plugins in this repository."""
    projects = [file for file in tree.below("backends", "examples") if file.name == "pyproject.toml"]
    return {name for file in projects for name in ENTRY.findall(tree.text(file))}


def run_on(tree: Tree) -> dict[str, set[str]]:
    """The devices that bundles in this repository are of, by backend."""
    found: dict[str, set[str]] = {}
    for file in tree.below("benchmarks"):
        if file.name == "system.json" and str(file).startswith(RESULTS):
            for entry in json.loads(tree.text(file))["devices"]:
                found.setdefault(entry["backend"]["name"], set()).add(entry["device"]["name"])
    return found


def unnamed_devices(tree: Tree, page: str) -> list[str]:
    """Devices of bundles that the page doesn't say were run on, and plugins of which it says so in vain."""
    rows, ran = described(page), run_on(tree)
    missing = [
        name
        for vendor, names in ran.items()
        for name in names
        if name not in rows.get(vendor, {}).get("run on hardware", "")
    ]
    claimed = [vendor for vendor, row in rows.items() if not row["run on hardware"].startswith("no")]
    return missing + [vendor for vendor in claimed if vendor not in ran]


def test_every_plugin_is_on_the_page(tree: Tree) -> None:
    page = described(tree.text(PAGE))
    assert set(page) == plugins(tree) >= set(installed_backends())
    assert all(len(rows) == 5 for rows in page.values())


@pytest.mark.parametrize("vendor", installed_backends())
def test_targets_and_peaks_are_those_of_the_plugin(tree: Tree, vendor: str) -> None:
    rows = described(tree.text(PAGE))[vendor]
    targets = load_backends([vendor]).get(vendor).targets()
    known = [t.arch for t in targets if t.peaks.bytes_per_second or t.peaks.flops_per_second]
    assert NAME.findall(rows["targets"]) == [target.arch for target in targets]
    assert NAME.findall(rows["peaks"]) == known


def test_chips_that_were_run_on_are_those_of_the_bundles(tree: Tree) -> None:
    assert run_on(tree)
    assert unnamed_devices(tree, tree.text(PAGE)) == []


def test_a_false_claim_and_a_forgotten_chip_are_found(planted: PlantedTree) -> None:
    device = {"backend": {"name": "a"}, "device": {"name": "Chip 1"}}
    tree = planted({f"{RESULTS}/x/system.json": json.dumps({"devices": [device]})})
    page = "# C\n## a\n| run on hardware | Chip 2 |\n## b\n| run on hardware | Chip 3 |\n"
    assert unnamed_devices(tree, page) == ["Chip 1", "b"]
