"""A run that is killed or interrupted goes on where it was: one record for each planned case, none twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from kgb_core.results.check import check_bundle
from kgb_core.results.problems import faults

KERNELS = Path(__file__).parents[2] / "kernels"
OPERATORS = ("aten::rsqrt", "aten::t")


def start(out: Path, *options: str) -> subprocess.Popen[str]:
    """`kgb run` of two small operators, in a process of its own."""
    argv = [sys.executable, "-m", "kgb_core.cli", "run", str(KERNELS), "--backend", "cpu", "--out", str(out)]
    argv += [part for name in OPERATORS for part in ("--operator", name)]
    return subprocess.Popen(
        [*argv, "--jobs", "1", *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def lines(out: Path) -> list[str]:
    """The records written so far, whole lines only."""
    results = out / "results.jsonl"
    return results.read_text().split("\n")[:-1] if results.exists() else []


def wait_for_records(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until the run is in its middle."""
    ends = time.monotonic() + 90
    while len(lines(out)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends, "no records"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_ended_run_is_resumed(how: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    process = start(out)
    wait_for_records(out, 3, process)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (130 if how is signal.SIGINT else -how)
    assert how is not signal.SIGINT or "--resume" in errors
    before = lines(out)
    planned = json.loads((out / "plan.json").read_text())["cases"]
    assert 3 <= len(before) < len(planned)
    assert not (out / "manifest.json").exists()

    again = start(out, "--resume")
    _, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    after = lines(out)
    assert after[: len(before)] == before
    uids = Counter(json.loads(line)["uid"] for line in after)
    assert uids == Counter(case["uid"] for case in planned)
    assert not faults(check_bundle(out, strict=True))


@pytest.mark.slow
def test_other_kernels_are_not_resumed_into_it(tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    process = start(out)
    wait_for_records(out, 1, process)
    process.kill()
    process.communicate(timeout=60)
    before = lines(out)
    argv = [sys.executable, "-m", "kgb_core.cli", "run", str(KERNELS / "aten__cos.py"), "--backend", "cpu"]
    done = subprocess.run(
        [*argv, "--out", str(out), "--resume"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "planned differently" in done.stderr
    assert lines(out) == before
