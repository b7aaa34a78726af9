"""The chip tier, whole, on fake chips: each rule finds the one that breaks it, and no other rule does.

It takes minutes: every fake has its own processes, and its own run of the practice pack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core.models.conformance import ConformanceTier
from kgb_core.testing.book import rules

CHIP = [rule.name for rule in rules() if rule.tier is ConformanceTier.CHIP]
TIMED = {rule.name for rule in rules() if rule.function.__module__.endswith(".timing")}
RIGHT = ("chip_right", "chip_counted", "chip_queue_right")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def said(asked: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """What the suite says of the right chips and of all wrong ones."""
    wrong = [name.replace("-", "_") for name in CHIP]
    return asked([*RIGHT, *wrong], "-m", "device")


def test_a_deliberately_wrong_chip_fails_exactly_the_rule_that_it_breaks(said: dict[str, Any]) -> None:
    failed = {name: sorted(said[name.replace("-", "_")].failed) for name in CHIP}
    assert failed == {name: [name] for name in CHIP}


@pytest.mark.parametrize("vendor", RIGHT)
def test_a_right_chip_passes(said: dict[str, Any], vendor: str) -> None:
    assert not said[vendor].failed
    untimed = TIMED | {"known-good-kernels-are-timed"} if vendor == "chip_queue_right" else set()
    assert said[vendor].skipped == untimed
    assert said[vendor].passed == set(CHIP) - untimed
