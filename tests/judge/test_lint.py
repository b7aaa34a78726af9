"""The linter of a suite: each law broken by a bad operator is reported, and a good operator is let alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kgb_core.judge.lint import (
    FEWEST_CHECK_CASES,
    FEWEST_PERF_CASES,
    TRIVIAL,
    Law,
    Offence,
    lint,
)
from kgb_core.models.case import Case, Tier
from kgb_core.operators.cases import case, fill, fp32, i64, integers, normal
from kgb_core.operators.rules import Elementwise, Exact
from kgb_core.operators.spec import Kind, Operator


def square(self: torch.Tensor) -> torch.Tensor:
    """Each times itself."""
    return self * self


def negate_(self: torch.Tensor) -> torch.Tensor:
    """The negative of each, in place."""
    return self.neg_()


def total(self: torch.Tensor) -> float:
    """The sum as a number."""
    return self.sum().item()


def largest(self: torch.Tensor) -> torch.Tensor:
    """The larger of each and zero."""
    return self.clamp(min=0)


def some(count: int, **changes: Any) -> list[Case]:
    """Different cases that tell something."""
    return [case(f"{n}", self=normal((n + 2,), 2.0, dtype=fp32), **changes) for n in range(count)]


def declared(
    reference: Callable[..., Any] = square,
    checks: list[Case] | None = None,
    perfs: int = FEWEST_PERF_CASES,
    **fields: Any,
) -> Operator:
    """An operator with as many cases as it needs, unless told otherwise."""
    fields = {"numeric": Elementwise(ulps=1), **fields}
    made = Operator("law::made", reference, **fields)
    made.check(some(FEWEST_CHECK_CASES) if checks is None else checks)
    made.perf(some(perfs))
    return made


def broken(made: Operator, tier: Tier = Tier.SMOKE) -> list[tuple[Law, str]]:
    """The laws that an operator breaks, and at which case."""
    return [(offence.law, offence.case.split(":")[0]) for offence in lint(made, tier)]


GOOD = {
    "of floats": declared(),
    "in place": declared(negate_, mutates=frozenset({"self"})),
    "that reads a value": declared(total, numeric=Exact(), kind=Kind.HOST_READ, perfs=0),
    "of whole numbers": declared(
        numeric=Exact(),
        checks=[case(f"{n}", self=integers((n + 9,), 2, 99, dtype=i64)) for n in range(FEWEST_CHECK_CASES)],
    ),
    "with an empty case": declared(checks=[*some(11), case("empty", self=normal((0, 3), dtype=fp32))]),
}


@pytest.mark.parametrize("made", GOOD.values(), ids=GOOD)
def test_a_good_operator_breaks_no_law(made: Operator) -> None:
    assert list(lint(made)) == []


def test_a_reference_that_misses_its_own_truth() -> None:
    made = declared(golden=lambda self: self * self + 1)
    assert {law for law, _ in broken(made)} == {Law.REFERENCE_PASSES}
    assert len(broken(made)) == FEWEST_CHECK_CASES


def test_a_reference_that_is_coarser_than_its_rule() -> None:
    made = declared(lambda self: (self.half() * self).float(), golden=lambda self: self * self)
    assert Law.REFERENCE_PASSES in {law for law, _ in broken(made)}


TRIVIALLY_RIGHT = {
    "zeros": case("bad", self=fill((4,), 0.0, dtype=fp32)),
    "ones": case("bad", self=fill((4,), -1.0, dtype=fp32)),
}


@pytest.mark.parametrize(("trivial", "bad"), TRIVIALLY_RIGHT.items(), ids=TRIVIALLY_RIGHT)
def test_a_case_that_a_trivial_answer_passes(trivial: str, bad: Case) -> None:
    made = declared(checks=[*some(12), bad])
    assert broken(made) == [(Law.TRIVIAL_FAILS, "bad")]
    (offence,) = lint(made)
    assert trivial in offence.detail


def test_a_bound_that_noise_meets() -> None:
    made = declared(numeric=Elementwise(ulps=1e9))
    details = {word for offence in lint(made) for word in offence.detail.split(", ")}
    assert set(TRIVIAL) <= details


def test_an_operator_in_place_that_may_do_nothing() -> None:
    made = declared(
        lambda self: self.clamp_(min=0),
        mutates=frozenset({"self"}),
        checks=[*some(0), *[case(f"{n}", self=integers((n + 9,), 2, 9, dtype=fp32)) for n in range(12)]],
    )
    assert {offence.detail for offence in lint(made)} == {"the input"}


@pytest.mark.parametrize(("value", "fills"), [(0.0, "zeros"), (1.0, "ones")])
def test_the_trivial_answer_that_defines_an_operator(value: float, fills: str) -> None:
    def constant(self: torch.Tensor) -> torch.Tensor:
        """One value everywhere."""
        return torch.full_like(self, value)

    assert list(lint(declared(constant, numeric=Exact(), constant=value))) == []
    for other in (None, 1 - value, 2.0):
        offences = lint(declared(constant, numeric=Exact(), constant=other))
        assert {offence.detail for offence in offences} == {fills}


def test_a_number_that_is_zero() -> None:
    made = declared(total, numeric=Exact(), kind=Kind.HOST_READ, perfs=0)
    made.check(case("bad", self=fill((4,), 0.0, dtype=fp32)))
    assert broken(made) == [(Law.TRIVIAL_FAILS, "bad")]


def test_too_few_check_cases() -> None:
    (offence,) = lint(declared(checks=some(FEWEST_CHECK_CASES - 1)))
    assert (offence.law, offence.detail) == (Law.ENOUGH_CHECKS, "11 of 12")


def test_a_case_that_stands_twice() -> None:
    made = declared()
    made.check(some(1))
    assert [(offence.law, offence.case) for offence in lint(made)] == [(Law.DIFFERENT, made.cases[0].label)]


def test_too_few_perf_cases_where_times_mean_something() -> None:
    (offence,) = lint(declared(perfs=2))
    assert (offence.law, offence.detail) == (Law.ENOUGH_PERF, "2 of 3")
    assert list(lint(declared(kind=Kind.VIEW, numeric=Exact(), perfs=0))) == []


def mute(count: int) -> list[Case]:
    return [
        case(f"{n}", self=fill((n + 2,), 1.0, dtype=fp32), telling=False) for n in range(count)
    ]  # fmt: skip


def test_many_cases_that_tell_nothing() -> None:
    assert broken(declared(checks=[*some(12), *mute(6)])) == []
    assert broken(declared(checks=[*some(12), *mute(7)])) == [(Law.TELLING, "")]


def test_a_telling_case_that_is_marked_as_mute() -> None:
    made = declared(checks=[*some(12), case("bad", self=normal((9,), dtype=fp32), telling=False)])
    assert broken(made) == [(Law.MARKED_WRONGLY, "bad")]


def test_only_the_cases_of_the_tier_are_tried() -> None:
    made = declared(checks=[*some(12), case("bad", self=fill((4,), 0.0, dtype=fp32), tier=Tier.STANDARD)])
    assert broken(made) == []
    assert broken(made, Tier.STANDARD) == [(Law.TRIVIAL_FAILS, "bad")]


def test_an_offence_reads_as_one_line() -> None:
    assert (
        str(Offence("law::made", Law.ENOUGH_PERF, detail="2 of 3")) == "law::made: too few perf cases: 2 of 3"
    )
