"""Accuracy: the share of the planned operators that have a right kernel, with a denominator that is fixed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.models.verdict import Verdict
from kgb_core.scores.proportion import Proportion, proportion
from kgb_core.scores.row import Row


class LeftOut(FrozenModel):
    """An operator that is not in the denominator, since no case of it says anything of a candidate."""

    operator: str
    verdict: Verdict
    """Mostly `unsupported`."""
    reason: str


class Share(FrozenModel):
    """The accuracy over the operators of one source or kind."""

    name: str
    operators: Proportion


class Accuracy(FrozenModel):
    """One pack on one device."""

    operators: Proportion
    """Operators with a right kernel, of all that were planned but those left out."""
    kernels: Proportion
    """The same of kernels; equal where each operator has one."""
    sources: tuple[Share, ...]
    kinds: tuple[Share, ...]
    left_out: tuple[LeftOut, ...]
    unfinished: tuple[str, ...]
    """Operators that are in the denominator and not yet decided: an interruption never raises the share."""
    suite: Proportion | None = None
    """Of all operators of the suite but those left out; one without a kernel is not right. `None` where the
    suite is not installed here, or the run was narrowed to a part of it."""


@dataclass(frozen=True)
class _Operator:
    name: str
    source: str
    kind: str
    rows: tuple[Row, ...]

    @property
    def right(self) -> bool:
        return any(row.right for row in self.rows)

    @property
    def decided(self) -> bool:
        return self.right or (any(row.decided for row in self.rows) and not self.open)

    @property
    def open(self) -> bool:
        """A kernel of it has planned cases without a record, and may yet be right."""
        return any(row.missing and not row.failed for row in self.rows)


def accuracy_of(rows: Iterable[Row], suite: Collection[str] | None = None) -> Accuracy:
    """The accuracy of one pack on one device.

    Of four planned operators, one with a right kernel, one with wrong ones, one that the chip can't run for
    anyone and one that was not reached, one of three is right: the third is left out, the fourth is not.

    Args:
        rows: of one pack on one device.
        suite: the names of all operators of the suite, where they are known and all were to be judged.
    """
    operators = _by_operator(rows)
    within = [each for each in operators if each.right or each.decided or each.open]
    left_out = [each for each in operators if each not in within]
    right = {each.name for each in within if each.right}
    return Accuracy(
        operators=proportion(len(right), len(within)),
        kernels=_kernels(row for each in within for row in each.rows),
        sources=_shares(within, lambda each: each.source),
        kinds=_shares(within, lambda each: each.kind),
        left_out=tuple(_left_out(each) for each in left_out),
        unfinished=tuple(each.name for each in within if not each.decided),
        suite=_of_suite(right, {each.name for each in left_out}, suite),
    )


def _by_operator(rows: Iterable[Row]) -> list[_Operator]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.operator, []).append(row)
    return [
        _Operator(name, each[0].source, next((row.kind for row in each if row.kind), ""), tuple(each))
        for name, each in sorted(found.items())
    ]


def _kernels(rows: Iterable[Row]) -> Proportion:
    counted = [row for row in rows if row.decided or row.missing]
    return proportion(sum(row.right for row in counted), len(counted))


def _shares(operators: Sequence[_Operator], named: Callable[[_Operator], str]) -> tuple[Share, ...]:
    groups: dict[str, list[_Operator]] = {}
    for each in operators:
        groups.setdefault(named(each) or "unknown", []).append(each)
    return tuple(
        Share(name=name, operators=proportion(sum(each.right for each in group), len(group)))
        for name, group in sorted(groups.items())
    )


def _left_out(operator: _Operator) -> LeftOut:
    found = [verdict for row in operator.rows for verdict in row.verdicts if not verdict.verdict.counts]
    worst = max(found, key=lambda each: each.count)
    return LeftOut(operator=operator.name, verdict=worst.verdict, reason=worst.message)


def _of_suite(right: set[str], left_out: set[str], suite: Collection[str] | None) -> Proportion | None:
    if suite is None:
        return None
    return proportion(len(right & set(suite)), len(set(suite) - left_out))
