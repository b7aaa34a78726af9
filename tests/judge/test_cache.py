"""Known answers: what the native implementation's errors do to a case, and what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import torch

from kgb_core.judge.cache import Known, KnownAnswers
from kgb_core.judge.compare import Answer, AnswerTensor
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Operator, operator

if TYPE_CHECKING:
    from conftest import Trial

TOLERANCE = Tolerance(ulps=1.0, native_factor=3.0)
EPS = 2.0**-23
X = torch.linspace(1, 2, 101)[:-1]


@operator("law::triple", numeric=Elementwise(ulps=1))
def triple(self: torch.Tensor) -> torch.Tensor:
    """Three times each."""
    return self * 3


@operator("law::put_", numeric=Elementwise(ulps=1), mutates=["table"])
def put_(table: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
    """Write a row into a table."""
    table[0] = row
    return table


@operator("law::turned", numeric=Elementwise(ulps=1))
def turned(self: torch.Tensor, rows: list[torch.Tensor]) -> torch.Tensor:
    """The transpose, a view."""
    return self.t()


def known(made: Operator = triple, **values: Any) -> Known:
    return Known.of(made, Bound(made.signature, values or {"self": X}), TOLERANCE)


def native(tensor: torch.Tensor) -> Answer:
    return Answer([AnswerTensor(tensor, tuple(tensor.stride()))], False, {})


def weighed(tensor: torch.Tensor) -> Known:
    return known().with_native(triple, native(tensor), TOLERANCE)


def test_a_native_implementation_within_the_bound_leaves_it() -> None:
    found = known(self=X * 0).with_native(triple, native(X * 0), TOLERANCE)
    assert (found.allowed, found.invalid, found.native_error) == (1.0, "", "")
    assert found.native is not None
    assert found.native.verdict is Verdict.PASSED


def test_a_coarse_native_implementation_widens_the_bound() -> None:
    found = weighed(X * 3 * (1 + 40 * EPS))
    assert found.invalid == ""
    assert found.native is not None
    assert found.native.errors is not None
    scale = found.native.errors.scale
    assert 20 < scale < 100
    assert found.allowed == 3 * scale


def test_a_candidate_as_coarse_as_the_native_one_then_passes(trial_of: Callable[..., Trial]) -> None:
    coarse = X * 3 * (1 + 40 * EPS)
    trial, allowed = trial_of(triple, self=X), weighed(coarse).allowed
    assert trial.judge(coarse).verdict is Verdict.WRONG_VALUE
    assert trial.judge(coarse, allowed=allowed).verdict is Verdict.PASSED
    assert trial.judge(torch.zeros_like(X), allowed=allowed).verdict is Verdict.WRONG_VALUE
    assert trial.judge(X * 3 * (1 + 400 * EPS), allowed=allowed).verdict is Verdict.WRONG_VALUE


WRONG = {
    "another value": X * 3.5,
    "zeros": torch.zeros(100),
    "NaN where there is none": torch.where(X[7] == X, math.nan, X * 3),
    "Inf where there is none": torch.where(X[7] == X, math.inf, X * 3),
    "another shape": X[:50] * 3,
    "another dtype": X.double() * 3,
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_a_wrong_native_implementation_voids_the_case(answer: torch.Tensor) -> None:
    found = weighed(answer)
    assert found.invalid.startswith("the native implementation: ")
    assert found.allowed == 1.0


def test_a_native_implementation_that_cannot_is_told() -> None:
    found = known().with_native(triple, "NotImplementedError: no halves", TOLERANCE)
    assert (found.native_error, found.invalid) == ("NotImplementedError: no halves", "")


def test_bytes_are_counted_once() -> None:
    assert known().bytes_read(frozenset()) == 400
    assert known().bytes_written(frozenset()) == 400
    assert known().numel == 100


def test_an_expanded_input_counts_what_is_stored() -> None:
    assert known(self=torch.ones(5).expand(7, 5)).bytes_read(frozenset()) == 20


def test_sparse_parameters_count_nothing() -> None:
    found = known(put_, table=torch.zeros(10, 5), row=torch.ones(5))
    assert (found.bytes_read(frozenset()), found.bytes_written(frozenset())) == (220, 200)
    assert (found.bytes_read(frozenset({"table"})), found.bytes_written(frozenset({"table"}))) == (20, 0)


def test_a_view_is_not_written_and_lists_are_read() -> None:
    found = known(turned, self=torch.ones(4, 4), rows=[torch.ones(2), torch.ones(3)])
    assert found.bytes_written(frozenset()) == 0
    assert found.bytes_read(frozenset()) == 64 + 20
    assert found.bytes_read(frozenset({"rows"})) == 64


def test_an_answer_is_computed_once_while_it_is_kept() -> None:
    answers, made = KnownAnswers(), []

    def compute() -> Known:
        made.append(1)
        return known()

    assert answers.get("a", compute) is answers.get("a", compute)
    assert len(made) == 1


def test_the_oldest_goes_when_memory_is_used_up() -> None:
    size = known().size
    answers, made = KnownAnswers(budget_bytes=2 * size), []

    def get(key: str) -> None:
        answers.get(key, lambda: made.append(key) or known())  # type: ignore[func-returns-value]

    for key in ("a", "b", "a", "c", "a", "b"):
        get(key)
    assert made == ["a", "b", "c", "b"]


def test_one_answer_is_kept_however_large() -> None:
    answers = KnownAnswers(budget_bytes=1)
    first = answers.get("a", known)
    assert answers.get("a", known) is first
