"""Honest kernels pass the real pipeline, and the same kernels with one operator exchanged do not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgb_core.judge.candidate import CandidateJudge, Patience
from kgb_core.judge.check import Outcome, Task
from kgb_core.judge.tolerance import tolerance_for
from kgb_core.judge.witness import Reference
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.models.verdict import Verdict
from kgb_core.operators.registry import Registry, load_registry
from kgb_core.runner.stations import Station
from kgb_core.worker import sandbox
from kgb_core.worker.handle import adopt_orphans
from kgb_core.worker.pool import WorkerPool

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


@dataclass(frozen=True)
class Court:
    """Where candidates are judged for real: workers, a reference worker, and the operators.

    Attributes:
        workers: the candidates' workers.
        reference: of the interpreter.
        station: the device.
        registry: the installed operators.
    """

    workers: WorkerPool
    reference: Reference
    station: Station
    registry: Registry

    def judge(self, entry: str, source: str) -> list[Outcome]:
        """The outcomes of a few cases."""
        operator = self.registry.get(f"aten::{entry}")
        cases = [case for case in operator.selected(Purpose.CHECK, Tier.SMOKE) if self._suits(case)]
        tasks = [
            Task(
                case.id,
                operator,
                case,
                tolerance_for(operator, case, self.station.backend, self.station.device),
                3,
            )
            for case in cases[:: len(cases) // CASES][:CASES]
        ]
        sha256 = hashlib.sha256(source.encode()).hexdigest()
        candidate = Candidate(
            operator=operator.name, name=entry, source=source, sha256=sha256, pack="kernels", path=entry
        )
        judge = CandidateJudge(candidate, entry, self.workers, self.reference, Patience(60.0), translate=True)
        return list(judge.outcomes(tasks))

    def _suits(self, case: Case) -> bool:
        sizes = [tensor.numel for tensor in case.tensors()]
        return (
            case.telling
            and 30 < max(sizes) < LARGEST
            and 0 not in sizes
            and not self.station.unsupported(case)
        )


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory, cpu_station: Station) -> Iterator[Court]:
    adopt_orphans()
    scratch = tmp_path_factory.mktemp("bundle") / "scratch"
    scratch.mkdir()
    workers = WorkerPool(cpu_station.candidate_plan(sandbox.choose(), scratch), ahead=1)
    references = WorkerPool(cpu_station.reference_plan(scratch), ahead=0)
    workers.expect(2)
    reference = Reference(references)
    yield Court(workers, reference, cpu_station, load_registry())
    reference.close()
    workers.close()
    references.close()
    assert list(scratch.iterdir()) == []


def source_of(entry: str) -> str:
    return (KERNELS / f"aten__{entry}.py").read_text(encoding="utf-8")


def told(outcomes: list[Outcome]) -> list[str]:
    return [f"{outcome.verdict.value}: {outcome.message}" for outcome in outcomes]


@pytest.mark.parametrize("entry", [mutant.entry for mutant in MUTANTS])
def test_an_honest_kernel_passes(court: Court, entry: str) -> None:
    outcomes = court.judge(entry, source_of(entry))
    assert len(outcomes) == CASES
    assert {outcome.verdict for outcome in outcomes} == {Verdict.PASSED}, told(outcomes)
    assert all(outcome.evidence.launches for outcome in outcomes)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.entry)
def test_a_mutant_does_not(court: Court, mutant: Mutant) -> None:
    source = source_of(mutant.entry)
    assert source.count(mutant.honest) == 1, "the kernel has changed: choose another place"
    outcomes = court.judge(mutant.entry, source.replace(mutant.honest, mutant.mutated))
    wrong = [outcome for outcome in outcomes if outcome.verdict is not Verdict.PASSED]
    assert all(outcome.verdict.counts for outcome in outcomes), told(outcomes)
    assert len(wrong) > CASES // 2, told(outcomes)
