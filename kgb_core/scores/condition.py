"""Conditions for continuous integration: when a comparison counts as a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from kgb_core.errors import UsageError
from kgb_core.scores.compare import Comparison
from kgb_core.scores.kernels import Fate


class Watch(str, Enum):
    """What a condition looks at."""

    WORSE = "worse"
    """A kernel that was right is wrong, was not judged to the end, or is gone."""
    SLOWER = "slower"
    """The time of a case, more than noise and by more than a limit."""
    ACCURACY = "accuracy"
    """The share of right kernels, down by more than a limit in percentage points."""


_FORM = re.compile(r"(?P<watch>worse|slower|accuracy)(:(?P<limit>\d+(\.\d+)?)%)?")


@dataclass(frozen=True)
class Condition:
    """What fails a comparison.

    Attributes:
        watch: what is looked at.
        limit: in percent; what is above it fails.
    """

    watch: Watch
    limit: float = 0.0


def parse_condition(text: str) -> Condition:
    """A condition as the command line has it: `worse`, `slower:5%`, `accuracy:1%`.

    Raises:
        UsageError: it is none.
    """
    found = _FORM.fullmatch(text)
    if found is None or (found["watch"] == Watch.WORSE.value and found["limit"]):
        raise UsageError(
            f"no condition {text}.", "known: worse, slower:5%, accuracy:1%", "kgb compare A B --fail-if worse"
        )
    return Condition(Watch(found["watch"]), float(found["limit"] or 0.0))


def failures(condition: Condition, comparison: Comparison) -> Iterator[str]:
    """Why a comparison fails a condition, one line each; nothing where it holds."""
    if condition.watch is Watch.WORSE:
        yield from _worse(comparison)
    elif condition.watch is Watch.SLOWER:
        yield from _slower(condition.limit, comparison)
    else:
        yield from _accuracy(condition.limit, comparison)


def _worse(comparison: Comparison) -> Iterator[str]:
    for change in comparison.kernels:
        if change.right_before and not change.right_after:
            became = change.after.value if change.fate is Fate.WORSE and change.after else change.fate.value
            yield f"worse: {change.operator} {change.candidate} on {change.device} is {became}"


def _slower(limit: float, comparison: Comparison) -> Iterator[str]:
    for change in comparison.times:
        percent = 100 * (change.relative - 1)
        if change.real and percent > limit:
            where = f"{change.operator} {change.candidate} on {change.device}, {change.case}"
            yield f"slower:{limit:g}%: {where}: {percent:.1f} % slower"


def _accuracy(limit: float, comparison: Comparison) -> Iterator[str]:
    pair = comparison.accuracy
    total = pair.both + pair.only_first + pair.only_second + pair.neither
    points = 100 * (pair.only_first - pair.only_second) / total if total else 0.0
    if points > limit:
        yield f"accuracy:{limit:g}%: {points:.1f} percentage points down over {total} kernels"
