"""Large bundles: memory does not grow with the records, and what is made up says so."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from kgb_core.results.check import check_bundle
from kgb_core.results.merge import merge_bundles
from kgb_core.results.problems import Severity
from kgb_core.results.query import open_results
from kgb_core.results.synthetic import Shape, write_synthetic

MEASURED = """
    import resource, sys
    from pathlib import Path
    from kgb_core.cli.border import execute
    path, out = sys.argv[1:]
    verbs = (["merge", path, "-o", out], ["check", out, "--strict"], ["report", out])
    assert [execute(verb) for verb in verbs] == [0, 0, 0]
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
BYTES_A_RECORD = 700
"""What checking a planned case may cost: its uid, its line and a number, never its record of 1.4 kB."""


def peak_kib(bundle: Path, out: Path) -> int:
    command = [sys.executable, "-c", textwrap.dedent(MEASURED), str(bundle), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stderr.splitlines()[-1])


@pytest.mark.slow
def test_memory_does_not_grow_with_the_size_of_the_records(tmp_path: Path) -> None:
    small, large = Shape(operators=2), Shape(operators=50, candidates=4, check_cases=95, perf_cases=5)
    write_synthetic(tmp_path / "small", small)
    write_synthetic(tmp_path / "large", large)
    grown = peak_kib(tmp_path / "large", tmp_path / "ml") - peak_kib(tmp_path / "small", tmp_path / "ms")
    plan = (tmp_path / "large" / "plan.json").stat().st_size
    assert grown * 1024 < 2 * plan + BYTES_A_RECORD * large.records + 8e6
    assert (tmp_path / "large" / "results.jsonl").stat().st_size > 1300 * large.records


def test_a_made_up_bundle_is_whole_repeatable_and_marked(tmp_path: Path) -> None:
    shape = Shape(operators=3, candidates=2)
    write_synthetic(tmp_path / "a", shape)
    write_synthetic(tmp_path / "b", shape)
    for name in ("results.jsonl", "plan.json", "manifest.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    results = open_results(tmp_path / "a")
    assert results.synthetic
    assert len(list(results.records())) == shape.records
    assert [problem.severity for problem in check_bundle(tmp_path / "a", strict=True)] == [Severity.NOTE]
    merge_bundles([tmp_path / "a"], tmp_path / "m")
    assert open_results(tmp_path / "m").synthetic
