"""`kgb conformance`: the table, the record, the exit code, and what it says where it can't ask."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.errors import ExitCode
from kgb_core.models.conformance import Conformance, ConformanceTier, RuleOutcome
from kgb_core.results.conformance import read_conformance
from kgb_core.testing.book import rules, suite_identity
from kgb_core.version import __version__

Run = Callable[..., subprocess.CompletedProcess[str]]
NO_PYTEST = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "pytest" else find(name, *rest)
sys.modules["pytest"] = None
from kgb_core.cli.border import execute
code = execute(["conformance", "--backend", "cpu"])
try:
    import kgb_core.testing
except ModuleNotFoundError as error:
    print(error, file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def kgb(environment: dict[str, str], tmp_path: Path) -> Run:
    """Runs a command line in a scratch directory, with the fakes installed."""

    def run(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
        start = ["-c", code] if code else ["-m", "kgb_core.cli"]
        return subprocess.run(
            [sys.executable, *start, *arguments],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=environment,
            text=True,
        )

    return run


@pytest.mark.slow
def test_a_right_backend_gets_a_record_that_says_so(kgb: Run, tmp_path: Path) -> None:
    done = kgb("conformance", "--backend", "right", "--tier", "no-chip", "--signed-off-by", "A. Maintainer")
    assert done.returncode == ExitCode.OK, done.stderr
    assert "passed  plugin-loads" in " ".join(done.stdout.split(" ")).replace("   ", "  ")
    assert done.stdout.endswith("signed off by A. Maintainer\nRecord   conformance-right.json\n")
    record = read_conformance(tmp_path / "conformance-right.json")
    assert record.passed
    assert record.tiers == (ConformanceTier.NO_CHIP,)
    assert [result.rule for result in record.rules] == [
        rule.name for rule in rules() if rule.tier is ConformanceTier.NO_CHIP
    ]
    assert (record.backend.name, record.backend.version, record.core) == ("right", "0.4", __version__)
    assert (record.suite, record.signed_off_by) == (suite_identity(), "A. Maintainer")
    assert record.environment["kgb-core"] == __version__


@pytest.mark.slow
def test_a_wrong_backend_exits_with_1_and_its_record_says_which_rule(kgb: Run, tmp_path: Path) -> None:
    options = ("--tier", "all", "--json", "--out", "record.json")
    done = kgb("conformance", "--backend", "doctor_findings_have_fixes", *options)
    assert done.returncode == ExitCode.FAILED
    document = json.loads(done.stdout)
    assert document == json.loads((tmp_path / "record.json").read_text())
    record = Conformance.model_validate(document)
    assert [(f.rule, f.reason) for f in record.with_outcome(RuleOutcome.FAILED)] == [
        ("doctor-findings-have-fixes", "driver is warn: what mends it?")
    ]
    chip = [result for result in record.rules if result.tier is ConformanceTier.CHIP]
    assert {result.outcome for result in chip} == {RuleOutcome.SKIPPED}
    assert {result.reason for result in chip} == {
        "doctor_findings_have_fixes has no usable device on this machine"
    }
    assert record.tiers == (ConformanceTier.NO_CHIP,)


@pytest.mark.slow
def test_a_backend_that_does_not_load_fails_that_rule_alone(kgb: Run, tmp_path: Path) -> None:
    done = kgb("conformance", "--backend", "plugin_loads", "--tier", "no-chip")
    assert done.returncode == ExitCode.FAILED
    record = read_conformance(tmp_path / "conformance-plugin_loads.json")
    (failed,) = record.with_outcome(RuleOutcome.FAILED)
    assert failed.rule == "plugin-loads"
    assert "kgb_discover_devices" in failed.reason
    assert len(record.with_outcome(RuleOutcome.SKIPPED)) == len(record.rules) - 1


@pytest.mark.slow
def test_a_process_that_dies_leaves_what_it_found_out(kgb: Run, tmp_path: Path) -> None:
    file = tmp_path / "test_dies.py"
    file.write_text(
        "import os\nfrom kgb_core.testing import backend_fixture\n"
        "from kgb_core.testing.suite import *  # noqa: F403\n\nbackend = backend_fixture('right')\n\n\n"
        "def pytest_dies():\n    os._exit(3)\n\n\n"
        "import pytest\n\n\n@pytest.fixture(scope='module')\ndef recorded():\n    os._exit(3)\n"
    )
    done = kgb("conformance", "--backend", "right", "--tier", "no-chip", "--tests", str(file))
    assert done.returncode == ExitCode.FAILED
    record = read_conformance(tmp_path / "conformance-right.json")
    assert record.rules[0].outcome is RuleOutcome.PASSED
    assert "it was not asked: pytest ended with 3" in record.rules[-1].reason


def test_the_chip_tier_alone_needs_a_device(kgb: Run) -> None:
    done = kgb("conformance", "--backend", "right", "--tier", "chip")
    assert done.returncode == ExitCode.NO_DEVICE
    assert done.stderr.startswith("kgb: right has no usable device here.\nit found none\n")


def test_an_unknown_backend_is_named(kgb: Run) -> None:
    done = kgb("conformance", "--backend", "rihgt")
    assert done.returncode == ExitCode.BACKEND_FAILED
    assert "did you mean right" in done.stderr


@pytest.mark.parametrize(
    ("file", "told"), [("none.py", "no test file none.py"), ("empty.py", "asks no rule of right")]
)
def test_a_test_file_that_asks_nothing_is_an_error(kgb: Run, tmp_path: Path, file: str, told: str) -> None:
    (tmp_path / "empty.py").write_text("")
    done = kgb("conformance", "--backend", "right", "--tier", "no-chip", "--tests", file)
    assert done.returncode == ExitCode.USAGE
    assert told in done.stderr


def test_without_pytest_it_says_what_to_install(kgb: Run) -> None:
    done = kgb(code=NO_PYTEST)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.count('pip install "kgb-core[testing]"') == 2
