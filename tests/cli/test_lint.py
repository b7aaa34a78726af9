"""`kgb operators --lint` and the hash, in a process of its own, over an operator that is installed beside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KGB = Path(sys.executable).with_name("kgb")
OPERATOR = '''
from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.cases import case, fill, fp32, normal
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator


@operator("mine::twice", numeric=Elementwise(), tags=("mine",))
def twice(self: torch.Tensor) -> torch.Tensor:
    """Twice as much."""
    return self * 2


twice.check([case(f"case {n}", self=normal((n + 2,), dtype=fp32)) for n in range(12)])
twice.perf([case(f"a model {n}", self=normal((n + 2, 5), dtype=fp32)) for n in range(3)])
'''
BAD_CASE = 'twice.check(case("all zeros", self=fill((4,), 0.0, dtype=fp32)))\n'
LISTED = "\n\ndef operators():\n    return [twice]\n"


def installed(where: Path, more: str = "") -> Path:
    """A directory that holds the operator as an installed distribution."""
    info = where / "mine_operators-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine-operators\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kgb.operators]\nmine = mine_operators:operators\n")
    (where / "mine_operators.py").write_text(OPERATOR + more + LISTED)
    return where


def kgb(where: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`kgb operators` with what is installed there."""
    path = os.pathsep.join([str(where), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [str(KGB), "operators", *arguments]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )


def test_a_good_operator_exits_0(tmp_path: Path) -> None:
    done = kgb(installed(tmp_path), "mine::twice", "--lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_bad_case_exits_1_with_its_name(tmp_path: Path) -> None:
    done = kgb(installed(tmp_path, BAD_CASE), "--suite", "mine", "--lint")
    assert done.returncode == 1
    assert "mine::twice: a trivial answer passes: all zeros" in done.stdout


def hash_of(where: Path) -> str:
    done = kgb(where, "--suite", "mine", "--json")
    found: str = json.loads(done.stdout)["suite"]["hash"]
    return found


def test_two_machines_compare_the_hash_and_a_changed_case_changes_it(tmp_path: Path) -> None:
    one, other = installed(tmp_path / "one"), installed(tmp_path / "other")
    changed = installed(tmp_path / "changed", 'twice.check(case("more", self=normal((99,), dtype=fp32)))\n')
    assert hash_of(one) == hash_of(other)
    assert hash_of(one) != hash_of(changed)


@pytest.mark.slow
def test_listing_the_largest_suite_takes_less_than_three_seconds(tmp_path: Path) -> None:
    """Processor time, the best of three: other tests use the cores, too."""
    used = []
    for _ in range(3):
        before = os.times()
        assert kgb(tmp_path, "--suite", "mc", "--json").returncode == 0
        after = os.times()
        used.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(used) < 3.0
