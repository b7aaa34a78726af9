"""A vendor's test file leaves no rule out, and replaces one only with a reason, for as long as it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import UsageError
from kgb_core.models.conformance import ConformanceTier, RuleOutcome
from kgb_core.plugins.loader import survey_backends
from kgb_core.testing.conduct import Subject, conduct

RULE = "names-are-given"
TEST = "test_names_are_given"
REASON = "this chip has no name yet"
FILE = """
import pytest

from kgb_core.testing import backend_fixture
from kgb_core.testing.suite import *  # noqa: F403

backend = backend_fixture("cpu")


"""


def override(mark: str, body: str) -> str:
    return f"{mark}\ndef {TEST}(backend):\n    {body}\n"


EXCUSE = f"@pytest.mark.xfail(reason='{REASON}')"
FAULTS = {
    "no_mark": override("", "pass"),
    "no_reason": override("@pytest.mark.xfail", "assert False"),
    "blank_reason": override("@pytest.mark.xfail(reason=' ')", "assert False"),
    "skipped": override("@pytest.mark.skip(reason='later')", "pass"),
    "excused_and_skipped": override(f"{EXCUSE}\n@pytest.mark.skip(reason='later')", "assert False"),
    "skipped_by_a_mark_alone": f"{TEST} = pytest.mark.skip(reason='later')({TEST})\n",
    "no_longer_true": override(EXCUSE, "pass"),
}
EXCUSED = {
    "it_fails": override(EXCUSE, "assert backend.info.pci_vendor_id"),
    "it_says_so": override(EXCUSE, "pytest.xfail('it has none')"),
}


@pytest.mark.slow
def test_a_rule_is_replaced_only_with_a_reason_that_holds(asked: Callable[..., dict[str, Any]]) -> None:
    endings = {**FAULTS, **EXCUSED, "as_it_is": ""}
    said = asked(["right"], "-k", TEST, endings=endings)
    assert {name for name, ended in said.items() if RULE in ended.failed} == set(FAULTS)
    assert {name for name, ended in said.items() if RULE in ended.skipped} == set(EXCUSED)
    assert {name for name, ended in said.items() if RULE in ended.passed} == {"as_it_is", "right"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "outcome", "reason"),
    [
        (f"del {TEST}\n", RuleOutcome.FAILED, "it was not asked"),
        (f"{TEST} = None\n", RuleOutcome.FAILED, "it was not asked"),
        (EXCUSED["it_fails"], RuleOutcome.XFAILED, REASON),
        (FAULTS["no_mark"], RuleOutcome.FAILED, "overrides the rule names-are-given without a reason"),
    ],
    ids=["deleted", "no test", "excused", "overridden"],
)
def test_the_record_has_every_rule(tmp_path: Path, ending: str, outcome: RuleOutcome, reason: str) -> None:
    loaded = survey_backends(["cpu"])
    file = tmp_path / "test_conformance.py"
    file.write_text(FILE + ending, encoding="utf-8")
    entry, backend = loaded.report.of("cpu")[0], loaded.backends["cpu"]
    record = conduct(Subject(entry, backend, (ConformanceTier.NO_CHIP,), file))
    told = next(result for result in record.rules if result.rule == RULE)
    assert told.outcome is outcome
    assert reason in told.reason
    others = {result.rule for result in record.with_outcome(RuleOutcome.FAILED)} - {RULE}
    assert not others


@pytest.mark.slow
def test_a_test_file_that_asks_another_backend_makes_no_record(tmp_path: Path) -> None:
    loaded = survey_backends(["nvidia"])
    file = tmp_path / "test_conformance.py"
    file.write_text(FILE, encoding="utf-8")
    entry, backend = loaded.report.of("nvidia")[0], loaded.backends["nvidia"]
    with pytest.raises(UsageError) as raised:
        conduct(Subject(entry, backend, (ConformanceTier.NO_CHIP,), file))
    assert "the test file asks cpu, and the record is to be of nvidia" in raised.value.why
