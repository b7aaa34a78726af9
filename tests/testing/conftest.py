"""Fake backends, installed as real ones are, and the suite run on any number of them in one process."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

FAKES = Path(__file__).with_name("fakes")
METADATA = "Metadata-Version: 2.1\nName: kgb-backend-fakes\nVersion: 0.4\n"
TEST_FILE = """
from kgb_core.testing import backend_fixture
from kgb_core.testing.suite import *  # noqa: F403

backend = backend_fixture("{vendor}")
"""
CONFTEST = """
from kgb_core.testing import Recording, recordings_fixture

recordings = recordings_fixture([Recording("two", "fake-smi", {"": b"0, Fake 1\\n1, Fake 2\\n"}, devices=2)])
"""


@dataclass(frozen=True)
class Ended:
    """What the suite said of one backend: rules by how they ended, parameters left out."""

    passed: frozenset[str]
    failed: frozenset[str]
    skipped: frozenset[str]


def vendors_in(module: Path) -> dict[str, str]:
    """Entry points of a module of fakes: the classes that name a vendor."""
    found = {}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            words = "".join(f"_{c.lower()}" if c.isupper() else c for c in node.name).lstrip("_")
            found[words] = f"{module.stem}:{node.name}"
    return found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that stands in PYTHONPATH: the fakes, and the metadata of a distribution of them."""
    root = tmp_path_factory.mktemp("site")
    points = vendors_in(FAKES / "kgb_fakes.py") | vendors_in(FAKES / "kgb_fake_chips.py")
    del points["unversioned"]
    points["import_is_light"] = "kgb_fake_heavy:Heavy"
    for file in FAKES.glob("*.py"):
        (root / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    info = root / "kgb_backend_fakes-0.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA, encoding="utf-8")
    lines = [f"{name} = {target}" for name, target in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[kgb.backends]", *lines, ""]), encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def environment(site: Path) -> dict[str, str]:
    """The environment in which the fakes are installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KGB_", "PYTEST_"))}
    return {**kept, "PYTHONPATH": str(site)}


@pytest.fixture(scope="session")
def asked(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[str, Ended]]:
    """Runs the suite on backends, all in one process; gives what it said of each.

    `endings` adds test files for the right fake, by name, that end with some lines.
    """

    def ask(
        vendors: Iterable[str], *options: str, endings: Mapping[str, str] | None = None
    ) -> dict[str, Ended]:
        folder = tmp_path_factory.mktemp("asked")
        (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        for vendor in vendors:
            (folder / f"test_{vendor}.py").write_text(TEST_FILE.format(vendor=vendor), encoding="utf-8")
        for name, ending in (endings or {}).items():
            text = f"import pytest\n{TEST_FILE.format(vendor='right')}\n\n{ending}"
            (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
        report = folder / "report.xml"
        command = [sys.executable, "-m", "pytest", str(folder), "-q", f"--junitxml={report}", *options]
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider"],
            capture_output=True,
            check=False,
            cwd=folder,
            env=environment,
            text=True,
        )
        assert report.exists(), done.stdout + done.stderr
        return told(report)

    return ask


def told(report: Path) -> dict[str, Ended]:
    """What a report in JUnit's format says, by vendor."""
    ways: dict[str, dict[str, set[str]]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        vendor = case.attrib["classname"].rpartition(".")[2].removeprefix("test_")
        rule = case.attrib["name"].partition("[")[0].removeprefix("test_").replace("_", "-")
        way = {"failure": "failed", "error": "failed", "skipped": "skipped"}
        how = next((way[child.tag] for child in case if child.tag in way), "passed")
        ways.setdefault(vendor, {"passed": set(), "failed": set(), "skipped": set()})[how].add(rule)
    return {
        vendor: Ended(**{how: frozenset(rules) for how, rules in found.items()})
        for vendor, found in ways.items()
    }
