"""Every honest kernel with one operator exchanged fails: the suite has no hole of that size.

Some mutants of each kernel, spread over its text, are judged on the smoke cases by the real pipeline
until one fails. A mutant that computes the same stands in `EQUIVALENT` with the reason.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core.judge.check import Outcome
from kgb_core.judge.mutate import RETURNED, Mutant, mutants, returning, some_of
from kgb_core.models.case import Case
from kgb_core.models.verdict import Verdict
from kgb_core.operators.spec import Kind

if TYPE_CHECKING:
    from conftest import Court

KERNELS = Path(__file__).parents[2] / "kernels"
EACH = 3
"""Mutants of each kernel file."""
SAMPLE = ("aten__pairwise_distance", "aten__t", "aten__renorm")
"""What is tried in every run of the tests; the rest with `-m long`."""

MERGED = "no layout gives a tensor of this operator so many dimensions that don't merge"
LAZY = "reached by a lazy conjugate or negative only, which no case can send"
ONE = "there is one element, at offset 0, and no case is complex"
UNUSED = "only the last part of a row reads on, and its sum is added to nothing"
FAINT = "moves the distribution by less than some thousand draws show"
EQUIVALENT = {
    "aten__bernoulli: _offset: at += (rest % n4 if DIMS > 5 else rest).to(tl.int64) * s4 -> a": MERGED,
    "aten__embedding: _offset: DIMS > 4 -> DIMS <= 4": MERGED,
    "aten__exponential_: _exponential_kernel: drawn * scale + drawn * scale_rest -> drawn * s": FAINT,
    "aten__gather: _offset: (rest // n3).to(tl.int64) * s4 -> (rest // n3).to(tl.int64) + s4": MERGED,
    "aten__index_select: _offset: (rest // n3).to(tl.int64) * s4 -> (rest // n3).to(tl.int64)": MERGED,
    "aten__pairwise_distance: _offset: index % n1 -> index // n1": MERGED,
    "aten__poisson: _log_probability: inverse * (0.08333333333333333 - inverse * inverse * 0.": FAINT,
    "aten__resolve_conj: _conjugate: row % n3 -> row // n3": LAZY,
    "aten__resolve_conj: _conjugate: row % n1 * s1 -> row % n1 + s1": LAZY,
    "aten__resolve_conj: _conjugate: out + 2 * at -> out - 2 * at": LAZY,
    "aten__resolve_neg: _negate: row % n3 * s3 -> row % n3 + s3": LAZY,
    "aten__resolve_neg: _negate: row // n2 -> row * n2": LAZY,
    "aten__resolve_neg: _negate: row // n1 -> row * n1": LAZY,
    "aten__rrelu_with_noise: _offset: DIMS > 5 -> DIMS <= 5": MERGED,
    "aten__scalar_tensor: _scalar_kernel: out + at -> out - at": ONE,
    "aten__scalar_tensor: _scalar_kernel: out + 1 + at -> out + 1 - at": ONE,
    "aten__scalar_tensor: _scalar_kernel: out + 1 -> out - 1": ONE,
    "aten__select_backward: _offset: DIMS > 4 -> DIMS <= 4": MERGED,
    "aten__cumsum: _part_sums: (index < rows)[:, None] & (col < last)[None, :] -> ": UNUSED,
}
"""Mutants among those tried that no case can tell from the kernel, as the start of `file: label`, and why."""


def stems() -> list[str]:
    return sorted(path.stem for path in KERNELS.glob("aten__*.py"))


def operator_of(stem: str) -> str:
    return stem.replace("__", "::", 1)


def mutants_of(court: Court, stem: str) -> list[Mutant]:
    """The mutants of a kernel file that are tried."""
    source = (KERNELS / f"{stem}.py").read_text(encoding="utf-8")
    tried = some_of(mutants(source), EACH)
    found = [mutant for mutant in tried if not f"{stem}: {mutant.label}".startswith(tuple(EQUIVALENT))]
    if found:
        return found
    operator = court.registry.get(operator_of(stem))
    changes = list(RETURNED)[2:] if operator.kind is Kind.HOST_READ else list(RETURNED)[:2]
    return [returning(source, operator.entry, change) for change in changes]


def caught(court: Court, stem: str, mutant: Mutant) -> Outcome | None:
    """The first outcome by which a mutant fails; `None` if it passes everything."""
    name = operator_of(stem)
    outcomes = court.outcomes(name, mutant.source, telling(court.cases(name)))
    return next((outcome for outcome in outcomes if outcome.verdict is not Verdict.PASSED), None)


def telling(cases: list[Case]) -> list[Case]:
    """The cases that tell something, small ones first: they are quick, and most mutants fail the first."""
    return sorted((case for case in cases if case.telling), key=_elements)


def _elements(case: Case) -> float:
    count = sum(tensor.numel for tensor in case.tensors())
    return abs(count - 500)


def survivors(court: Court, stem: str) -> list[str]:
    """The mutants of a kernel file that pass."""
    passed = []
    for mutant in mutants_of(court, stem):
        outcome = caught(court, stem, mutant)
        assert outcome is None or outcome.verdict.counts, (mutant.label, outcome)
        if outcome is None:
            passed.append(f"{stem}: {mutant.label}")
    return passed


@pytest.mark.slow
@pytest.mark.parametrize("stem", SAMPLE)
def test_mutants_of_a_few_kernels_fail(court: Court, stem: str) -> None:
    assert survivors(court, stem) == []


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("stem", [stem for stem in stems() if stem not in SAMPLE])
def test_mutants_of_every_kernel_fail(court: Court, stem: str) -> None:
    assert survivors(court, stem) == []


@pytest.mark.slow
def test_an_equivalent_mutant_is_one_of_a_kernel_and_has_a_reason() -> None:
    known = {
        f"{stem}: {mutant.label}"
        for stem in stems()
        for mutant in mutants((KERNELS / f"{stem}.py").read_text(encoding="utf-8"))
    }
    assert {start for start in EQUIVALENT if not any(label.startswith(start) for label in known)} == set()
    assert all(EQUIVALENT.values())


def test_a_suite_with_a_hole_lets_a_mutant_pass(court: Court) -> None:
    """The control: judged by one case that tells nothing, the mutant that is caught above passes."""
    stem = "aten__renorm"
    mutant = mutants_of(court, stem)[0]
    empty = [case for case in court.cases(operator_of(stem)) if all(t.numel == 0 for t in case.tensors())]
    (outcome,) = court.outcomes(operator_of(stem), mutant.source, empty[:1])
    assert outcome.verdict is Verdict.PASSED
