"""Plain pip installs the distributions in one command, and none of them asks it for torch or triton."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

from kgb_core import __version__

if TYPE_CHECKING:
    from conftest import Tree

VENDORS = ("cpu", "nvidia", "amd", "iluvatar", "mthreads", "metax", "ascend")
DISTRIBUTIONS = ("kgb-core", "kgb-operators", *(f"kgb-backend-{vendor}" for vendor in VENDORS))
FORBIDDEN = frozenset({"torch", "triton"})
"""A vendor's build of these would be replaced by the one that pip finds."""


def pulls_in(requirements: list[str]) -> set[str]:
    """What of torch and triton a plain install, without extras, would bring."""
    parsed = map(Requirement, requirements)
    return {
        r.name for r in parsed if r.name in FORBIDDEN and (not r.marker or r.marker.evaluate({"extra": ""}))
    }


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_plain_install_leaves_torch_alone(name: str) -> None:
    assert pulls_in(metadata.requires(name) or []) == set()


def test_a_requirement_of_torch_is_seen_and_an_extra_is_not() -> None:
    assert pulls_in(["torch>=2.5", "numpy"]) == {"torch"}
    assert pulls_in(['triton; extra == "stack"', 'torch; sys_platform == "nowhere"']) == set()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_all_distributions_have_one_version(name: str) -> None:
    assert metadata.version(name) == __version__


@pytest.fixture(scope="module")
def clone(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is in git, so that building leaves nothing behind here."""
    copy = tmp_path_factory.mktemp("clone")
    for file in tree.files:
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree.root / file, copy / file, follow_symlinks=False)
    return copy


@pytest.fixture(scope="module")
def installed(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment that `pip install . ./operators ./backends/cpu` has filled.

    What isn't ours is taken from the environment that runs the tests, so no network is needed; pip still
    resolves everything, as `--no-index` and the absence of `--no-deps` show.
    """
    venv = tmp_path_factory.mktemp("plain")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    python = venv / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    Path(site, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-cache-dir"]
    subprocess.run([*pip, ".", "./operators", "./backends/cpu"], cwd=clone, check=True)
    return venv / "bin"


def contents(wheel: Path) -> set[str]:
    """The files in a wheel, its own metadata left out."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


@pytest.mark.slow
def test_pip_installs_ours_in_one_command(installed: Path) -> None:
    code = "import kgb_core, kgb_operators; print(kgb_core.__file__); print(kgb_operators.__file__)"
    done = subprocess.run(
        [installed / "python", "-c", code], capture_output=True, text=True, check=True, cwd=installed
    )
    assert all(Path(line).is_relative_to(installed.parent) for line in done.stdout.splitlines())


@pytest.mark.slow
def test_the_installed_program_finds_the_operators(installed: Path) -> None:
    done = subprocess.run(
        [installed / "kgb", "operators", "--json"], capture_output=True, text=True, check=True, cwd=installed
    )
    assert "aten::softmax" in {operator["name"] for operator in json.loads(done.stdout)["operators"]}


@pytest.mark.slow
def test_the_wheel_of_the_operators_is_whole(tree: Tree, clone: Path, tmp_path: Path) -> None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
    ]
    subprocess.run([*pip, "./operators"], cwd=clone, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    sources = {str(Path("kgb_operators", *file.parts[1:])) for file in tree.python("operators")}
    assert contents(wheel) == sources | {"kgb_operators/py.typed"}
