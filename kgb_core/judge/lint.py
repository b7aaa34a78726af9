"""The linter of a suite: the reference must pass every case, and every trivial answer must fail it.

A case that zeros pass tells nothing about a kernel. Where the right answer is trivial by nature (softmax of
one
element), the author says so with `telling=False`, and few cases of an operator may be like that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

import torch

from kgb_core.judge.bounds import Bounds
from kgb_core.judge.cache import Known
from kgb_core.judge.compare import Answer, AnswerTensor, Foreign, judge_answer
from kgb_core.judge.golden import Expected, ExpectedTensor, Scalar, cloned, expect, run
from kgb_core.judge.observe import observed
from kgb_core.judge.tolerance import default_tolerance
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.draw import draw_case
from kgb_core.operators.seeds import seed_of
from kgb_core.operators.spec import Kind, Operator

FEWEST_CHECK_CASES = 12
FEWEST_PERF_CASES = 3
_LARGE = 1e30
MOST_UNTELLING = 0.34
"""Share of an operator's check cases that may be trivial by nature."""


class Law(str, Enum):
    """What a suite must obey."""

    REFERENCE_PASSES = "the reference does not pass its own case"
    TRIVIAL_FAILS = "a trivial answer passes"
    ENOUGH_CHECKS = "too few check cases"
    ENOUGH_PERF = "too few perf cases"
    DIFFERENT = "a case stands twice"
    TELLING = "too many cases that tell nothing"
    MARKED_WRONGLY = "marked as telling nothing, and yet every trivial answer fails"


@dataclass(frozen=True)
class Offence:
    """One broken law."""

    operator: str
    law: Law
    case: str = ""
    detail: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.operator, self.law.value, self.case, self.detail) if part)


def lint(operator: Operator, tier: Tier = Tier.SMOKE, seed: int = 0) -> Iterator[Offence]:
    """Every broken law of one operator.

    Args:
        operator: whose cases are tried, on the CPU.
        tier: which cases. Of samples of torch's own, only those are told of that a run would void: what
            they tell is not the author's business.
        seed: of their contents.
    """
    checks = operator.selected(Purpose.CHECK, tier)
    if tier is Tier.OPINFO:
        for case in checks:
            yield from _reference_offence(operator, case, seed)
        return
    yield from _counts(operator, checks)
    for case in checks:
        yield from _lint_case(operator, case, seed_of(seed, operator.name, case.id))


def _counts(operator: Operator, checks: list[Case]) -> Iterator[Offence]:
    if len(checks) < FEWEST_CHECK_CASES:
        yield Offence(operator.name, Law.ENOUGH_CHECKS, detail=f"{len(checks)} of {FEWEST_CHECK_CASES}")
    perf = operator.selected(Purpose.PERF, Tier.FULL)
    if operator.kind.timed and len(perf) < FEWEST_PERF_CASES:
        yield Offence(operator.name, Law.ENOUGH_PERF, detail=f"{len(perf)} of {FEWEST_PERF_CASES}")
    seen: set[str] = set()
    for case in operator.cases:
        if case.id in seen:
            yield Offence(operator.name, Law.DIFFERENT, case.label)
        seen.add(case.id)
    mute = sum(not case.telling for case in checks)
    if mute > MOST_UNTELLING * len(checks):
        yield Offence(operator.name, Law.TELLING, detail=f"{mute} of {len(checks)}")


def _reference_offence(operator: Operator, case: Case, seed: int) -> Iterator[Offence]:
    """Says so where a run would void the case: the reference in the native types is far from the truth."""
    trial = _Trial.of(operator, Bound(operator.signature, draw_case(case, seed)))
    known = Known(trial.bound, trial.expected, trial.bounds)
    void = known.with_native(operator, trial.reference_answer(), default_tolerance(operator.numeric)).invalid
    if void:
        yield Offence(operator.name, Law.REFERENCE_PASSES, case.label, void)


def _lint_case(operator: Operator, case: Case, seed: int) -> Iterator[Offence]:
    trial = _Trial.of(operator, Bound(operator.signature, draw_case(case, seed)))
    wrong = trial.reference_fails()
    if wrong:
        yield Offence(operator.name, Law.REFERENCE_PASSES, case.label, wrong)
    if operator.kind in (Kind.VIEW, Kind.UNINITIALISED) or not trial.has_elements:
        return
    passed = [name for name, make in _trivial_for(operator).items() if trial.passes(make)]
    passed += ["the input"] * trial.passes_untouched()
    if passed and case.telling:
        yield Offence(operator.name, Law.TRIVIAL_FAILS, case.label, ", ".join(passed))
    if not passed and not case.telling:
        yield Offence(operator.name, Law.MARKED_WRONGLY, case.label)


@dataclass(frozen=True)
class _Trial:
    """One case, its right answer, and what is tried on it."""

    operator: Operator
    bound: Bound
    expected: Expected
    bounds: Bounds

    @classmethod
    def of(cls, operator: Operator, bound: Bound) -> _Trial:
        expected = expect(operator, bound)
        return cls(
            operator, bound, expected, Bounds(operator, bound, expected, default_tolerance(operator.numeric))
        )

    @property
    def has_elements(self) -> bool:
        tensors = [o for o in self.expected.outputs if isinstance(o, ExpectedTensor)]
        return not tensors or any(t.value.numel() for t in [*tensors, *self.expected.mutated.values()])

    def reference_fails(self) -> str:
        """What is wrong with the reference's own answer in the native dtypes; empty if nothing."""
        finding = self._judged(self.reference_answer())
        return "" if finding.verdict is Verdict.PASSED else finding.message

    def reference_answer(self) -> Answer:
        """The reference's own answer in the native dtypes."""
        call = self.bound.replace(cloned(self.bound.values))
        return observed(self.operator, call, run(self.operator.reference, call))

    def passes(self, make: Trivial) -> bool:
        """True when a trivial answer is taken for a right one."""
        outputs: list[AnswerTensor | Scalar | Foreign] = [
            self._output(make, output) for output in self.expected.outputs
        ]
        mutated = {name: make(t, self.bound) for name, t in self.expected.mutated.items()}
        answer = Answer(outputs, self.expected.is_sequence, mutated)
        return self._judged(answer).verdict is Verdict.PASSED

    def passes_untouched(self) -> bool:
        """True when doing nothing, and returning the first tensor as it came, is taken for right."""
        path, source = next(self.bound.tensors(), ("", None))
        if source is None or len(self.expected.outputs) != 1 or not isinstance(source, torch.Tensor):
            return False
        answer = AnswerTensor(source, tuple(source.stride()), path)
        mutated = {name: self.bound[name] for name in self.expected.mutated}
        return self._judged(Answer([answer], False, mutated)).verdict is Verdict.PASSED

    def _output(self, make: Trivial, want: ExpectedTensor | Scalar) -> AnswerTensor | Scalar:
        if isinstance(want, ExpectedTensor):
            return AnswerTensor(make(want, self.bound), want.stride, want.alias)
        return type(want)(make is _ones)

    def _judged(self, answer: Answer) -> _Finding:
        finding = judge_answer(self.operator, self.bound, self.expected, self.bounds, answer)
        return _Finding(finding.verdict, finding.message)


@dataclass(frozen=True)
class _Finding:
    verdict: Verdict
    message: str


Trivial = Callable[[ExpectedTensor, Bound], torch.Tensor]
"""Makes a tensor of the right dtype and shape without doing the work."""


def _zeros(want: ExpectedTensor, bound: Bound) -> torch.Tensor:
    return torch.zeros(want.shape, dtype=want.dtype)


def _ones(want: ExpectedTensor, bound: Bound) -> torch.Tensor:
    return torch.ones(want.shape, dtype=want.dtype)


def _mean(want: ExpectedTensor, bound: Bound) -> torch.Tensor:
    """The mean of the right values everywhere, which is more than a cheat could know.

    Where all right values are the same that would be the answer itself, so it is moved by one.
    """
    value = want.value.to(torch.complex128 if want.value.is_complex() else torch.float64)
    finite = value[torch.isfinite(value)].clamp(-_LARGE, _LARGE) if not value.is_complex() else value
    mean = finite.mean() if finite.numel() else torch.tensor(0.0)
    constant = not (value != value.reshape(-1)[0]).any()
    return torch.full(want.shape, (mean + constant * (1 + mean.abs())).item()).to(want.dtype)


def _noise(want: ExpectedTensor, bound: Bound) -> torch.Tensor:
    """What uninitialised memory holds under poison."""
    generator = torch.Generator().manual_seed(1)
    return torch.randn(want.shape, generator=generator, dtype=torch.float64).mul(3).to(want.dtype)


def _trivial_for(operator: Operator) -> dict[str, Trivial]:
    """The trivial answers to an operator, less the one that is its definition."""
    by_definition = {None: "", 0.0: "zeros", 1.0: "ones"}.get(operator.constant, "")
    return {name: make for name, make in TRIVIAL.items() if name != by_definition}


TRIVIAL: dict[str, Trivial] = {"zeros": _zeros, "ones": _ones, "mean": _mean, "noise": _noise}
