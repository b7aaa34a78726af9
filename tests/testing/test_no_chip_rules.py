"""Each rule of the no-chip tier finds the backend that breaks it, and no other rule does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core.models.conformance import ConformanceTier
from kgb_core.testing.book import rules

NO_CHIP = [rule.name for rule in rules() if rule.tier is ConformanceTier.NO_CHIP]


@pytest.fixture(scope="module")
def said(asked: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """What the suite says of the right fake and of all wrong ones."""
    wrong = [name.replace("-", "_") for name in NO_CHIP]
    return asked(["right", *wrong], "-m", "not device")


@pytest.mark.slow
def test_a_deliberately_wrong_backend_fails_exactly_the_rule_that_it_breaks(said: dict[str, Any]) -> None:
    failed = {name: sorted(said[name.replace("-", "_")].failed) for name in NO_CHIP}
    assert failed == {name: [name] for name in NO_CHIP}
    assert said["right"].passed == set(NO_CHIP)
    assert not said["right"].failed | said["right"].skipped
