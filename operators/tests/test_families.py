"""What families of operators share: the right arguments in the right order."""

from __future__ import annotations

from kgb_core.models.case import Case, TensorSpec, Tier
from kgb_core.models.dtypes import DTypeClass
from kgb_core.models.values import Fill, Integers, Uniform
from kgb_core.operators.cases import FLOATING
from kgb_operators.families import real_function, unary


def test_arguments_before_self_come_first_in_every_case() -> None:
    """A worker passes arguments by position in the order of the case."""
    names = {tuple(argument.name for argument in case.arguments) for case in unary(FLOATING, n=1)}
    assert names == {("n", "self")}


def test_tensors_of_one_element_have_values_of_their_own() -> None:
    values = {
        _self(case).values for case in unary(FLOATING, single=Fill(value=-2.5)) if _self(case).numel == 1
    }
    assert values == {Fill(value=-2.5)}


def test_without_whole_numbers_a_real_function_takes_floats_only() -> None:
    def kinds(whole: Integers | None) -> set[DTypeClass]:
        cases = real_function(Uniform(), whole)
        return {dtype.kind for case in cases for dtype in case.dtypes()}

    assert kinds(None) == {DTypeClass.FLOAT}
    assert kinds(Integers()) == {DTypeClass.FLOAT, DTypeClass.INTEGER, DTypeClass.BOOL}


def test_no_case_comes_twice() -> None:
    ids = [case.id for case in real_function(Uniform(), Integers())]
    assert len(ids) == len(set(ids))


def test_large_cases_wait_for_a_chip() -> None:
    assert all(case.tier is Tier.STANDARD for case in unary(FLOATING) if _self(case).numel > 10_000)


def _self(case: Case) -> TensorSpec:
    (spec,) = case.tensors()
    return spec
