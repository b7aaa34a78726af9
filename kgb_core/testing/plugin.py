"""The pytest plugin of the suite: marks the chip tier, and lets no rule be overridden without a reason.

It is loaded by the test file that imports the suite. A rule that such a file replaces, or marks, must be
marked `xfail` with a reason, and then must fail.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from typing import Any

import pytest

from kgb_core.models.conformance import ConformanceTier
from kgb_core.testing.book import Rule, rules

_MARKER = "device: needs a real accelerator; leave out with -m 'not device'"


@lru_cache(maxsize=1)
def _by_function() -> dict[str, Rule]:
    return {rule.function.__name__: rule for rule in rules()}


def rule_of(item: pytest.Item) -> Rule | None:
    """The rule that a test stands for: by its name, in a file that imports the suite."""
    module = getattr(item, "module", None)
    plugins: Any = getattr(module, "pytest_plugins", ())
    if __name__ not in plugins:
        return None
    return _by_function().get(getattr(item, "originalname", item.name))


def excuse(item: pytest.Item) -> str:
    """The reason of a test's `xfail`; empty where it has none."""
    reasons = [str(mark.kwargs.get("reason", "")) for mark in item.iter_markers("xfail")]
    return " ".join(reasons).strip()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker of the chip tier known."""
    config.addinivalue_line("markers", _MARKER)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the rules of the chip tier."""
    rule = rule_of(item)
    if rule is not None and rule.tier is ConformanceTier.CHIP:
        item.add_marker(pytest.mark.device)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail what overrides or skips a rule without a reason, before any fixture of the test."""
    rule = rule_of(item)
    if rule is not None:
        complaint = _complaint(item, rule)
        if complaint:
            pytest.fail(complaint, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A rule that is expected to fail, and passes, fails: the excuse no longer holds."""
    report = yield
    if report.when == "call" and report.outcome == "passed" and hasattr(report, "wasxfail") and rule_of(item):
        report.outcome = "failed"
        report.longrepr = f"it passes, and is marked xfail: {excuse(item)}"
        del report.wasxfail
    return report


def _complaint(item: pytest.Item, rule: Rule) -> str:
    replaced = getattr(item, "function", None) is not rule.function
    marks = sorted({mark.name for mark in item.iter_markers() if mark.name in ("skip", "skipif", "xfail")})
    if not (replaced or marks) or (excuse(item) and marks == ["xfail"]):
        return ""
    how = "overrides" if replaced else f"marks with {', '.join(marks)}"
    return (
        f"the test file {how} the rule {rule.name} without a reason: write @pytest.mark.xfail(reason=...); "
        "skips come from declared capabilities"
    )
