"""Honest kernels pass the real pipeline, and the same kernels with one operator exchanged do not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core.judge.check import Outcome
from kgb_core.models.case import Case
from kgb_core.models.verdict import Verdict

if TYPE_CHECKING:
    from conftest import Court

KERNELS = Path(__file__).parents[2] / "kernels"
CASES = 4
LARGEST = 3000
"""Elements of a case: a few programs of a kernel, a fraction of a second under the interpreter."""


@dataclass(frozen=True)
class Mutant:
    """A kernel with one place changed.

    Attributes:
        entry: of the operator.
        honest: a text that stands in the kernel once.
        mutated: what it is exchanged for.
    """

    entry: str
    honest: str
    mutated: str


MUTANTS = [
    Mutant("softmax", "power / tl.sum(power, 1)[:, None]", "power * tl.sum(power, 1)[:, None]"),
    Mutant("add", "left + _number(alpha, compute) * right", "left - _number(alpha, compute) * right"),
    Mutant("cumsum", "(col < last)[None, :]\n        along", "(col <= last)[None, :]\n        along"),
    Mutant("gather", "picked * step", "picked + step"),
    Mutant("masked_fill_", "other=0) != 0, filler, kept", "other=0) == 0, filler, kept"),
]


def source_of(entry: str) -> str:
    return (KERNELS / f"aten__{entry}.py").read_text(encoding="utf-8")


def some(court: Court, entry: str) -> list[Case]:
    """A few small cases that tell something."""
    cases = [case for case in court.cases(f"aten::{entry}") if _suits(case)]
    return cases[:: len(cases) // CASES][:CASES]


def _suits(case: Case) -> bool:
    sizes = [tensor.numel for tensor in case.tensors()]
    return case.telling and 30 < max(sizes) < LARGEST and 0 not in sizes


def told(outcomes: list[Outcome]) -> list[str]:
    return [f"{outcome.verdict.value}: {outcome.message}" for outcome in outcomes]


@pytest.mark.parametrize("entry", [mutant.entry for mutant in MUTANTS])
def test_an_honest_kernel_passes(court: Court, entry: str) -> None:
    outcomes = list(court.outcomes(f"aten::{entry}", source_of(entry), some(court, entry)))
    assert len(outcomes) == CASES
    assert {outcome.verdict for outcome in outcomes} == {Verdict.PASSED}, told(outcomes)
    assert all(outcome.evidence.launches for outcome in outcomes)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.entry)
def test_a_mutant_does_not(court: Court, mutant: Mutant) -> None:
    source = source_of(mutant.entry)
    assert source.count(mutant.honest) == 1, "the kernel has changed: choose another place"
    mutated = source.replace(mutant.honest, mutant.mutated)
    outcomes = list(court.outcomes(f"aten::{mutant.entry}", mutated, some(court, mutant.entry)))
    wrong = [outcome for outcome in outcomes if outcome.verdict is not Verdict.PASSED]
    assert all(outcome.verdict.counts for outcome in outcomes), told(outcomes)
    assert len(wrong) > CASES // 2, told(outcomes)
