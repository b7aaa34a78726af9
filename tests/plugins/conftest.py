"""A scratch environment with plugins that are really built and installed, and processes that load them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PLANTS = Path(__file__).with_name("plants")

PYPROJECT = """
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "kgb-backend-{dist}"
version = "0.3"
dependencies = ["{requires}"]

[project.entry-points."kgb.backends"]
{entry} = "{module}:Backend"

[tool.setuptools]
py-modules = ["{module}"]
"""


@dataclass(frozen=True)
class Plant:
    """One distribution to build: a file of `plants/` under an entry-point name.

    Attributes:
        file: the module is `kgb_plant_<file>`, the distribution `kgb-backend-<file>`.
        entry: the name of the entry point; the file's where it is empty.
        requires: its requirement of the core.
    """

    file: str
    entry: str = ""
    requires: str = "kgb-core>=0.1,<0.2"

    @property
    def module(self) -> str:
        """The name of its module."""
        return f"kgb_plant_{self.file}"

    def write(self, below: Path) -> Path:
        """Lay the source of the distribution out."""
        project = below / self.file
        project.mkdir()
        source = (PLANTS / f"{self.module}.py").read_text(encoding="utf-8")
        (project / f"{self.module}.py").write_text(source, encoding="utf-8")
        fields = {"dist": self.file.replace("_", "-"), "entry": self.entry or self.file}
        text = PYPROJECT.format(module=self.module, requires=self.requires, **fields)
        (project / "pyproject.toml").write_text(text, encoding="utf-8")
        return project


ALL = (
    Plant("good"),
    Plant("raises"),
    Plant("asserts"),
    Plant("exits"),
    Plant("needy"),
    Plant("typo"),
    Plant("argument"),
    Plant("newer", requires="kgb-core>=9"),
    Plant("hooks"),
    Plant("partial"),
    Plant("alias"),
    Plant("twin_a", entry="twin"),
    Plant("twin_b", entry="twin"),
    Plant("crashes"),
    Plant("hangs"),
)


@dataclass(frozen=True)
class Scratch:
    """An environment with every plant installed beside what this one has.

    Attributes:
        python: its interpreter.
    """

    python: Path

    def run(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program in it."""
        return subprocess.run(
            [self.python, "-c", code],
            capture_output=True,
            check=False,
            env={**os.environ, **environment},
            text=True,
            timeout=120,
        )

    def report(self, only: str = "None") -> dict[str, Any]:
        """What a process that surveys the backends says of the report and of itself.

        Args:
            only: the argument of `survey_backends`, as Python writes it.
        """
        done = self.run(SURVEY.format(only=only))
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


SURVEY = """
import json, sys
from kgb_core.plugins import selected_from, survey_backends
loaded = survey_backends({only})
print(json.dumps({{
    "entries": loaded.report.model_dump(mode="json")["entries"],
    "loaded": sorted(loaded.backends),
    "devices": [d.name for n, b in loaded.backends.items() if n == "good" for d in b.discover_devices()],
    "imported": sorted(name for name in sys.modules if name.startswith("kgb_plant_")),
    "heavy": sorted({{"torch", "triton"}} & set(sys.modules)),
}}))
"""


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """The environment; it sees the packages of this one, so nothing is downloaded."""
    root = tmp_path_factory.mktemp("scratch")
    venv.create(root / "venv", with_pip=False, symlinks=True)
    python = root / "venv/bin/python"
    here = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (_site_packages(root / "venv") / "outer.pth").write_text(here, encoding="utf-8")
    sources = root / "sources"
    sources.mkdir()
    projects = [str(plant.write(sources)) for plant in ALL]
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--quiet", "--no-cache-dir"]
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", *options, *projects]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return Scratch(python)


def _site_packages(environment: Path) -> Path:
    (found,) = environment.glob("lib/python*/site-packages")
    return found


@pytest.fixture
def backend_of() -> Callable[[object, str], Any]:
    """Makes the facade of an object with hooks, without installing it."""
    from kgb_core.plugins.assembly import assemble

    return assemble
