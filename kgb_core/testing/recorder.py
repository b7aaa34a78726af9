"""The pytest plugin that `kgb conformance` adds: it keeps to the rules of a tier, and notes how each ended.

One line of JSON a test, written as it ends, so that a process that dies leaves what it found out.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from kgb_core.models.base import FrozenModel
from kgb_core.models.conformance import ConformanceTier, RuleOutcome
from kgb_core.testing.plugin import excuse, rule_of

_NO_RULE = pytest.StashKey[list[str]]()


class Line(FrozenModel):
    """How one test of a rule ended; a rule may have several, one for each of its parameters."""

    rule: str
    parameter: str = ""
    outcome: RuleOutcome
    reason: str = ""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `kgb conformance` gives."""
    parser.addoption("--kgb-results", help="the file to write")
    parser.addoption("--kgb-vendor", help="the backend that the record is of")
    parser.addoption("--kgb-tier", action="append", help="ask only the rules of this tier")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is no rule, or of another tier.

    Raises:
        pytest.UsageError: the test file is about another backend, whose answers the record would hold.
    """
    for name in {_vendor_of(item) for item in items} - {"", config.getoption("--kgb-vendor")}:
        raise pytest.UsageError(
            f"the test file asks {name}, and the record is to be of {config.getoption('--kgb-vendor')}"
        )
    tiers = {ConformanceTier(name) for name in config.getoption("--kgb-tier") or []}
    items[:] = [item for item in items if (rule := rule_of(item)) and rule.tier in tiers]


def _vendor_of(item: pytest.Item) -> str:
    """Whom the fixture `backend` of a test's file asks; empty where it has none of ours."""
    fixture = getattr(getattr(item, "module", None), "backend", None)
    return str(getattr(fixture, "vendor", ""))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write a line where a test is decided: its call, or a set-up or tear-down that did not pass."""
    report = yield
    if report.when == "call" or report.outcome != "passed":
        _write(item.config, _line(item, report, call))
    return report


def _line(item: pytest.Item, report: pytest.TestReport, call: pytest.CallInfo[None]) -> Line:
    rule = rule_of(item)
    assert rule is not None, "what is no rule was left out"
    parameters = getattr(item, "callspec", None)
    outcome, reason = _outcome(item, report, call)
    return Line(rule=rule.name, parameter=parameters.id if parameters else "", outcome=outcome, reason=reason)


def _outcome(
    item: pytest.Item, report: pytest.TestReport, call: pytest.CallInfo[None]
) -> tuple[RuleOutcome, str]:
    if hasattr(report, "wasxfail") or (report.outcome == "skipped" and excuse(item)):
        return RuleOutcome.XFAILED, excuse(item)
    if report.outcome == "passed":
        return RuleOutcome.PASSED, ""
    told = str(call.excinfo.value) if call.excinfo is not None else str(report.longrepr)
    first = " ".join(told.strip().partition("\nassert ")[0].split())
    return (RuleOutcome.SKIPPED if report.outcome == "skipped" else RuleOutcome.FAILED), first


def _write(config: pytest.Config, line: Line) -> None:
    with Path(config.getoption("--kgb-results")).open("a", encoding="utf-8") as stream:
        stream.write(line.model_dump_json() + "\n")
