"""How long the machine takes from `kgb new-backend` to a green conformance suite, with Hygon's plugin.

    python benchmarks/new_backend.py          a table
    python benchmarks/new_backend.py --json   the same as one JSON document

Everything happens in a scratch environment: KGB is installed there from this repository, other packages are
those of the interpreter that runs this. Filling in is copying the files of `examples/kgb-backend-hygon`: the
time that a person needs to find things out about a chip and to write them down is not in it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "kgb-backend-hygon"
OURS = ("pyproject.toml", "README.md", "LICENSE", "kgb_core", "operators")
"""What kgb-core and kgb-operators are built from."""
MADE = ("__pycache__", "*.egg-info", "build")
PIP = ("-m", "pip", "--python")
OFFLINE = ("install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir")


@dataclass(frozen=True)
class Step:
    """One step and the seconds that it took."""

    name: str
    seconds: float


@dataclass(frozen=True)
class Scratch:
    """An environment that has KGB as pip installs it, and no backend.

    Attributes:
        root: its directory.
    """

    root: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.root / "bin" / "python"

    def run(self, *command: str | Path, where: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of it, without settings of the caller's.

        Raises:
            RuntimeError: it failed; what it said is in the error.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KGB_")}
        path = f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [self.root / "bin" / command[0], *command[1:]],
            capture_output=True,
            check=False,
            cwd=where or self.root,
            env={**kept, "PATH": path},
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    def install(self, *projects: Path) -> None:
        """Build and install projects, without a network."""
        command = [sys.executable, *PIP, str(self.python), *OFFLINE, *map(str, projects)]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        if done.returncode:
            raise RuntimeError(f"pip ended with {done.returncode}:\n{done.stderr}")


def scratch_environment(root: Path) -> Scratch:
    """Make an environment with kgb-core and kgb-operators, built from this repository.

    Args:
        root: where; it must not exist.
    """
    venv.create(root, with_pip=False, symlinks=True)
    (packages,) = root.glob("lib/python*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "kgb" not in entry.name.lower() and not (packages / entry.name).exists():
            (packages / entry.name).symlink_to(entry)
    made = Scratch(root)
    sources = root / "sources"
    sources.mkdir()
    for name in OURS:
        _copy(ROOT / name, sources / name)
    made.install(sources, sources / "operators")
    return made


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*MADE))
    else:
        shutil.copy2(source, target)


def walk_through(scratch: Scratch, example: Path, below: Path) -> list[Step]:
    """Make, fill in, install and check a backend; each step with its time.

    Args:
        scratch: the environment.
        example: the package whose files are what is filled in.
        below: a directory to make it in.
    """
    vendor = example.name.removeprefix("kgb-backend-")
    package = below / example.name
    ways: list[tuple[str, Callable[[], object]]] = [
        ("kgb new-backend", lambda: scratch.run("kgb", "new-backend", vendor, "-o", package)),
        ("fill in", lambda: shutil.copytree(example, package, dirs_exist_ok=True, ignore=_left_out)),
        ("pip install", lambda: scratch.install(package)),
        ("kgb backends", lambda: _loaded(scratch, vendor)),
        ("conformance, tier without a chip", lambda: _conforms(scratch, package)),
    ]
    return [_timed(name, way) for name, way in ways]


def _left_out(folder: str, names: list[str]) -> set[str]:
    return set(shutil.ignore_patterns(*MADE, ".pytest_cache", ".hypothesis")(folder, names))


def _timed(name: str, way: Callable[[], object]) -> Step:
    began = time.perf_counter()
    way()
    return Step(name, time.perf_counter() - began)


def _loaded(scratch: Scratch, vendor: str) -> None:
    listed = json.loads(scratch.run("kgb", "backends", "--json").stdout)["backends"]
    states = {entry["name"]: entry["state"] for entry in listed}
    if states.get(vendor) != "loaded":
        raise RuntimeError(f"kgb backends shows {states}")


def _conforms(scratch: Scratch, package: Path) -> None:
    scratch.run("python", "-m", "pytest", "-q", package / "tests" / "test_conformance.py", where=package)


def main(arguments: Sequence[str]) -> None:
    """Walk through it once and tell.

    Args:
        arguments: those of the command line.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    as_json = parser.parse_args(arguments).json
    with tempfile.TemporaryDirectory() as place:
        scratch = scratch_environment(Path(place, "environment"))
        steps = walk_through(scratch, EXAMPLE, Path(place))
    if as_json:
        print(json.dumps({"machine": _machine(), "steps": [asdict(step) for step in steps]}, indent=2))
        return
    print(_machine())
    for step in [*steps, Step("together", sum(step.seconds for step in steps))]:
        print(f"{step.seconds:8.1f} s  {step.name}")


def _machine() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    versions = ", ".join(f"{name} {version(name)}" for name in ("pip", "setuptools", "pytest", "triton"))
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} x {model}, Python {platform.python_version()}, {versions}"


if __name__ == "__main__":
    main(sys.argv[1:])
