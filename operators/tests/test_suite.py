"""Every installed operator obeys the suite's laws: enough telling cases that its own reference passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
import torch

from kgb_core.judge.lint import FEWEST_CHECK_CASES, FEWEST_PERF_CASES, lint
from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.registry import load_registry
from kgb_core.operators.spec import Kind, Operator
from kgb_operators import operators
from kgb_operators.suites import SMOKE, suites_of

OPERATORS = {operator.name: operator for operator in operators()}

every_operator = pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Small tensors are slower on many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@every_operator
def test_the_linter_finds_nothing(operator: Operator) -> None:
    assert [str(offence) for offence in lint(operator, Tier.SMOKE)] == []


@every_operator
def test_there_are_enough_cases_each_once(operator: Operator) -> None:
    checks = operator.selected(Purpose.CHECK, Tier.SMOKE)
    perfs = operator.selected(Purpose.PERF, Tier.FULL)
    assert len(checks) >= FEWEST_CHECK_CASES
    assert len(perfs) >= FEWEST_PERF_CASES or not operator.kind.timed
    assert all(case.title for case in perfs)
    assert [case for case, count in Counter(case.id for case in operator.cases).items() if count > 1] == []


@every_operator
def test_hard_shapes_are_among_the_smoke_cases(operator: Operator) -> None:
    """Empty, small and strided where the operator takes tensors; several dtypes where it takes any."""
    checks = operator.selected(Purpose.CHECK, Tier.SMOKE)
    tensors = [tensor for case in checks for tensor in case.tensors()]
    if not tensors:
        return
    assert operator.kind is Kind.HOST_READ or any(tensor.numel == 0 for tensor in tensors)
    assert any(len(tensor.shape) == 0 for tensor in tensors) or operator.entry in RANK_IS_FIXED
    assert len({tensor.layout for tensor in tensors}) > 1
    assert len({tensor.dtype for tensor in tensors}) >= 3


RANK_IS_FIXED = frozenset(
    """
    affine_grid_generator bmm cat diff embedding im2col linear matmul mm narrow reflection_pad1d_backward
    renorm rot90 select unsafe_split unsafe_split_with_sizes upsample_nearest2d_backward
    """.split()
)
"""Operators that have no 0-d case."""


@every_operator
def test_an_operator_is_in_the_suites_of_its_name(operator: Operator) -> None:
    assert suites_of(operator.name) <= operator.tags
    assert "ms" in operator.tags
    assert ("mc" in operator.tags) == (operator.source == "aten")
    assert ("smoke" in operator.tags) == (operator.name in SMOKE)


def test_a_suite_names_only_operators_that_exist() -> None:
    assert OPERATORS.keys() >= SMOKE


def test_the_smoke_suite_has_every_kind_of_operator() -> None:
    assert {OPERATORS[name].kind for name in SMOKE} == set(Kind)


def test_the_registry_has_them_all() -> None:
    registry = load_registry()
    assert registry.operators.keys() >= OPERATORS.keys()
    assert {operator.name for operator in registry.suite("smoke")} == SMOKE
