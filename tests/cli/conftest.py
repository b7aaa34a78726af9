"""A scratch distribution with operators and backends, found as real ones are: by its entry points."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from stevedore.extension import ExtensionManager

from kgb_core.cli.border import execute
from kgb_core.models.candidate import Candidate
from kgb_core.models.manifest import System
from kgb_core.models.plan import Plan
from kgb_core.models.record import Record
from kgb_core.results.bundle import BundleWriter

OPERATORS = '''
from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.rules import Elementwise, Exact
from kgb_core.operators.spec import Kind, operator


@operator("scratch::double_it", numeric=Elementwise(), tags=("scratchsuite",))
def double_it(self: torch.Tensor, *, scale: float = 2.0) -> torch.Tensor:
    """Twice as much.

    No more.
    """
    return self * scale


@operator("scratch::peek", numeric=Exact(), kind=Kind.VIEW, tags=("scratchsuite", "otherset"))
def peek(self: torch.Tensor) -> torch.Tensor:
    """The same."""
    return self


double_it.check(case("small", self=normal((3,), dtype=fp32)))
double_it.perf(case("a model", self=normal((3, 5), dtype=fp32)))
peek.check(case("small", self=normal((3,), dtype=fp32)))


def operators():
    return [double_it, peek]
'''

BACKENDS = """
from kgb_core import hookimpl
from kgb_core.models.device import BackendInfo, Device, Probe
from kgb_core.models.doctor import DoctorCheck, Health

print("a banner that a vendor's stack prints")


class Chip:
    @hookimpl
    def kgb_backend_info(self):
        return BackendInfo(vendor="chip", display_name="Chip", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self):
        print("looking")
        big = Device(index=0, name="Chip 1", arch="c1", memory_bytes=3 * 2**30, driver_version="9")
        return [big, Device(index=1, name="Chip 1", state="lost")]

    @hookimpl
    def kgb_doctor_checks(self):
        return [DoctorCheck(name="driver", health=Health.WARN, found="it is old", fix="install driver 10")]


class Bare:
    @hookimpl
    def kgb_backend_info(self):
        return BackendInfo(vendor="bare", display_name="Bare", torch_device_type="cpu")

    @hookimpl
    def kgb_probe(self):
        return Probe(score=0)

    @hookimpl
    def kgb_discover_devices(self):
        return []


class Faulty(Bare):
    @hookimpl
    def kgb_backend_info(self):
        return BackendInfo(vendor="faulty", display_name="Faulty", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self):
        raise OSError("libchip.so: cannot open shared object file")
"""

ENTRY_POINTS = """
[kgb.operators]
scratch = scratch_operators:operators
[kgb.backends]
chip = scratch_backends:Chip
bare = scratch_backends:Bare
faulty = scratch_backends:Faulty
broken = scratch_broken:Broken
"""


@dataclass(frozen=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("scratch")
    (root / "scratch_operators.py").write_text(OPERATORS)
    (root / "scratch_backends.py").write_text(BACKENDS)
    (root / "scratch_broken.py").write_text('raise RuntimeError("no licence")\n')
    info = root / "kgb_backend_scratch-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kgb-backend-scratch\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return root


@pytest.fixture
def kgb(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """Runs a command line in this process, with the scratch distribution installed."""
    monkeypatch.syspath_prepend(str(scratch))
    monkeypatch.setattr(ExtensionManager, "ENTRY_POINT_CACHE", {})  # it does not see what is installed later
    for name in list(os.environ):
        if name.startswith("KGB_"):
            monkeypatch.delenv(name)

    def run(*arguments: str, env: dict[str, str] | None = None) -> Ended:
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        code = execute(arguments)
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return run


@pytest.fixture
def kgb_process(scratch: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts a command line as a process of its own."""

    def start(*arguments: str, **changes: Any) -> subprocess.Popen[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("KGB_")}
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **changes}
        settings["env"] = {**env, "PYTHONPATH": str(scratch), **changes.get("env", {})}
        return subprocess.Popen([sys.executable, "-m", "kgb_core.cli", *arguments], **settings)

    return start


@pytest.fixture
def make_bundle(
    tmp_path: Path, make_plan: Callable[..., Plan], make_candidate: Callable[..., Candidate], system: System
) -> Callable[..., Path]:
    """Writes records as a bundle; `planned` is what was planned beyond them, and leaves it open."""

    def make(*records: Record, planned: tuple[Record, ...] = ()) -> Path:
        path = tmp_path / "bundle"
        with BundleWriter.create(path, make_plan(*records, *planned), system) as writer:
            writer.add_source(make_candidate())
            for record in records:
                writer.append(record)
            if not planned:
                writer.close()
        return path

    return make
