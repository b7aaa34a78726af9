"""Running the suite on a backend in a process of its own, and making the record of what it said."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from kgb_core.errors import BackendError, UsageError
from kgb_core.models.conformance import Conformance, ConformanceTier, RuleOutcome, RuleResult
from kgb_core.models.device import Device
from kgb_core.models.plugins import PluginEntry
from kgb_core.models.record import BackendRef
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import usable
from kgb_core.testing.book import Rule, rules, suite_identity
from kgb_core.testing.recorder import Line
from kgb_core.version import __version__

_TEST_FILE = '''"""Written by kgb conformance."""

from kgb_core.testing import backend_fixture
from kgb_core.testing.suite import *  # noqa: F403

backend = backend_fixture("{vendor}")
'''
_WORST_FIRST = (RuleOutcome.FAILED, RuleOutcome.XFAILED, RuleOutcome.PASSED, RuleOutcome.SKIPPED)
"""A rule with several parameters is what the worst of them was; it was asked if one of them was."""


@dataclass(frozen=True)
class Subject:
    """What is asked about.

    Attributes:
        entry: the installed plugin.
        backend: its facade; `None` where it does not load.
        tiers: which rules.
        tests: the vendor's own test file; `None` for one without overrides.
    """

    entry: PluginEntry
    backend: Backend | None
    tiers: tuple[ConformanceTier, ...]
    tests: Path | None = None


@dataclass(frozen=True)
class _Ended:
    lines: list[Line]
    output: str
    why: str
    """How the process ended, where that is not how pytest ends."""


def conduct(subject: Subject, signed_off_by: str = "") -> Conformance:
    """Ask every rule of the tiers.

    Args:
        subject: the backend.
        signed_off_by: who vouches for the result.

    Raises:
        UsageError: the test file is not there, or can't be collected.
    """
    with tempfile.TemporaryDirectory(prefix="kgb-conformance-") as directory:
        ended = _asked(subject, Path(directory))
    asked = [rule for rule in rules() if rule.tier in subject.tiers]
    if not ended.lines:
        raise UsageError(
            f"{subject.tests or 'the suite'} asks no rule of {subject.entry.name}.",
            ended.output.strip() or ended.why,
            "a test file imports * from kgb_core.testing.suite and makes its backend with backend_fixture",
        )
    return Conformance(
        backend=BackendRef(name=subject.entry.name, version=subject.entry.version),
        core=__version__,
        suite=suite_identity(),
        rules=tuple(_result(rule, ended) for rule in asked),
        devices=_devices(subject.backend),
        environment=_environment(subject.backend),
        finished=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        signed_off_by=signed_off_by,
    )


def _asked(subject: Subject, folder: Path) -> _Ended:
    file, results = subject.tests or folder / "test_conformance.py", folder / "results.jsonl"
    if subject.tests is None:
        file.write_text(_TEST_FILE.format(vendor=subject.entry.name), encoding="utf-8")
    elif not file.is_file():
        raise UsageError(f"no test file {file}.", "", "give --tests the vendor's test_conformance.py")
    done = subprocess.run(
        _command(file, results, subject),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
    )
    text = results.read_text(encoding="utf-8") if results.exists() else ""
    lines = [Line.model_validate_json(line) for line in text.splitlines()]
    return _Ended(lines, done.stdout, f"pytest ended with {done.returncode}")


def _command(file: Path, results: Path, subject: Subject) -> list[str]:
    command = [sys.executable, "-m", "pytest", str(file), "-q"]
    command += ["-p", "kgb_core.testing.plugin", "-p", "kgb_core.testing.recorder"]
    command += ["-p", "no:cacheprovider", "-o", "addopts=", "--import-mode=importlib", "--tb=short"]
    command += ["--kgb-results", str(results), "--kgb-vendor", subject.entry.name]
    return command + [part for tier in subject.tiers for part in ("--kgb-tier", tier.value)]


def _result(rule: Rule, ended: _Ended) -> RuleResult:
    lines = [line for line in ended.lines if line.rule == rule.name]
    if not lines:
        why = f"it was not asked: {ended.why}, or the test file leaves it out"
        return RuleResult(rule=rule.name, tier=rule.tier, outcome=RuleOutcome.FAILED, reason=why)
    worst = min((line.outcome for line in lines), key=_WORST_FIRST.index)
    told = [line for line in lines if line.outcome is worst and line.reason]
    return RuleResult(rule=rule.name, tier=rule.tier, outcome=worst, reason=_reason(told))


def _reason(told: list[Line]) -> str:
    """Each reason once, behind the parameters that had it."""
    parameters: dict[str, list[str]] = {}
    for line in told:
        parameters.setdefault(line.reason, []).append(line.parameter)
    if len(parameters) == 1 and len(told) > 1:
        return told[0].reason
    named = [(", ".join(filter(None, names)), reason) for reason, names in parameters.items()]
    return "; ".join(f"{names}: {reason}" if names else reason for names, reason in named)


def _devices(backend: Backend | None) -> tuple[Device, ...]:
    try:
        return tuple(usable(backend.discover_devices())) if backend else ()
    except BackendError:  # a rule has failed for it
        return ()


def _environment(backend: Backend | None) -> dict[str, str]:
    try:
        return backend.environment() if backend else {}
    except BackendError:  # a rule has failed for it
        return {}
