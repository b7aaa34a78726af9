"""Candidates that are wrong in every way there is: each gets its verdict, and nothing of it is left."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

CANDIDATES = sorted((Path(__file__).parent / "candidates").glob("*.py"))
SECONDS = 60
HANGING_SECONDS = 9


def expected(path: Path) -> list[str]:
    """The verdicts named in the first line, the commonest first; what can't show a fault may pass."""
    return path.read_text().splitlines()[0].removeprefix("# expect:").split()


def seconds_for(path: Path) -> int:
    """A short limit for what only a limit ends."""
    return HANGING_SECONDS if expected(path) == ["timeout"] else SECONDS


def kgb_run(path: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`kgb run` on one file in a process of its own."""
    argv = [sys.executable, "-m", "kgb_core.cli", "run", str(path), "--operator", "aten::softmax"]
    argv += ["--backend", "cpu", "--json", "--out", str(out), "--timeout", str(seconds_for(path)), *options]
    return subprocess.run(argv, capture_output=True, text=True, timeout=180, check=False)


def leftovers(out: Path) -> list[psutil.Process]:
    """Processes that know the bundle's directory."""
    return [p for p in psutil.process_iter() if str(out) in _environment(p).get("TMPDIR", "")]


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        found: dict[str, str] = process.environ()
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return {}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda path: path.stem)
def test_each_gets_its_verdict_and_leaves_nothing(candidate: Path, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    done = kgb_run(candidate, out)
    assert done.returncode == 1, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    verdicts = [record["verdict"] for record in document["records"]]
    counted = [v for v in verdicts if v not in ("unsupported", "passed")]
    assert set(counted) <= set(expected(candidate)), Counter(verdicts)
    assert counted.count(expected(candidate)[0]) > 0.5 * len(counted)
    assert document["summary"]["planned"] == len(verdicts)
    assert not leftovers(out)
    assert {path.name for path in out.iterdir()} <= {
        "plan.json",
        "system.json",
        "results.jsonl",
        "log.jsonl",
        "manifest.json",
        "kernels",
        ".lock",
    }


def test_without_namespaces_a_daemon_is_found_too(tmp_path: Path) -> None:
    candidate = Path(__file__).parent / "candidates" / "leaves_a_daemon.py"
    out = tmp_path / "bundle"
    done = kgb_run(candidate, out, "--sandbox", "process")
    assert done.returncode == 1, done.stderr
    assert not leftovers(out)
