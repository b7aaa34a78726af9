"""The practice pack through the real `kgb run`: what became of kernels whose verdicts are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgb_core.errors import ExitCode
from kgb_core.models.case import Purpose
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.testing.practice import SUITE
from kgb_core.version import __version__

PACK = Path(__file__).with_name("practice") / "pack"
GOOD = "good"
"""The sample of each operator that is right; every other one is wrong."""
SECONDS = 900.0

_METADATA = f"Metadata-Version: 2.1\nName: kgb-conformance-practice\nVersion: {__version__}\n"
_ENTRY_POINTS = "[kgb.operators]\nconformance = kgb_core.testing.practice:operators\n"


@dataclass(frozen=True)
class Judged:
    """The records of the practice pack on one device."""

    records: tuple[Record, ...]

    @property
    def samples(self) -> dict[str, list[Record]]:
        """The check records of each kernel, as `row_sum/good`."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            if record.case.purpose is Purpose.CHECK:
                found.setdefault(_sample(record), []).append(record)
        return found

    @property
    def timed(self) -> list[Record]:
        """The perf records of kernels that are right, in which something was measured."""
        return [r for r in self.records if r.case.purpose is Purpose.PERF and r.candidate.name.endswith(GOOD)]


def is_good(sample: str) -> bool:
    """True for the samples that must pass."""
    return sample.endswith(f"/{GOOD}")


def told(records: list[Record]) -> str:
    """Verdicts and messages, for a rule that fails."""
    return "; ".join(f"{record.case.label}: {record.verdict.value} {record.message}" for record in records)


def failures(records: list[Record]) -> list[Record]:
    """The records that count and did not pass."""
    return [record for record in records if record.verdict.counts and record.verdict is not Verdict.PASSED]


def judge_practice(device: str, folder: Path) -> Judged:
    """Judge the practice pack.

    Args:
        device: `vendor:index`.
        folder: an empty directory.
    """
    bundle = folder / "bundle"
    command = [sys.executable, "-m", "kgb_core.cli", "run", str(PACK), "--suite", SUITE, "--json"]
    command += ["--backend", device.partition(":")[0], "--device", device, "--out", str(bundle)]
    command += ["--time-budget", "1"]
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        cwd=folder,
        env=_environment(folder),
        text=True,
        timeout=SECONDS,
    )
    if done.returncode not in (ExitCode.OK, ExitCode.FAILED):
        pytest.fail(f"kgb run ended with {done.returncode}: {done.stderr.strip()}")
    return Judged(tuple(Record.model_validate(record) for record in json.loads(done.stdout)["records"]))


def _environment(folder: Path) -> dict[str, str]:
    """The environment in which the practice operators are installed, and no setting of the user's counts."""
    declared = folder / "site" / "kgb_conformance_practice-0.dist-info"
    declared.mkdir(parents=True)
    (declared / "METADATA").write_text(_METADATA, encoding="utf-8")
    (declared / "entry_points.txt").write_text(_ENTRY_POINTS, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KGB_")}
    paths = [str(declared.parent), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)}


def _sample(record: Record) -> str:
    return f"{record.operator.partition('::')[2]}/{record.candidate.name}"
