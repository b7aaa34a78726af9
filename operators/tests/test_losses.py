"""Cases of losses tell a mean from a sum, and a sum of all from a sum of nearly all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core.judge.bounds import Bounds
from kgb_core.judge.compare import judge_answer
from kgb_core.judge.golden import cloned, expect, run
from kgb_core.judge.observe import observed
from kgb_core.judge.tolerance import default_tolerance
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Literally, Normal
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import OMIT
from kgb_core.operators.draw import draw_case
from kgb_core.operators.spec import Operator
from kgb_operators import operators
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, loss, pointwise

NAMES = ("binary_cross_entropy_with_logits", "huber_loss", "margin_ranking_loss", "soft_margin_loss")
LOSSES = {operator.entry: operator for operator in operators() if operator.entry in NAMES}
PARTS: Parts = {"self": Normal(), "target": Normal()}

Cheat = Callable[[Operator, Bound], Any]
every_loss = pytest.mark.parametrize("operator", LOSSES.values(), ids=LOSSES)


def argument(case: Case, name: str) -> Any:
    """The plain value of an argument, or `OMIT`."""
    found = [named.argument for named in case.arguments if named.name == name]
    return getattr(found[0], "plain", None) if found else OMIT


def reduced(operator: Operator) -> list[Case]:
    """Cases of float32 that reduce several finite losses."""
    return [
        case
        for case in operator.selected(Purpose.CHECK, Tier.SMOKE)
        if argument(case, "reduction") in (MEAN, SUM)
        and case.tensors()[0].dtype is DType.FLOAT32
        and all(tensor.numel > 1 for tensor in case.tensors())
        and not case.title.startswith("one ")
    ]


def verdict(operator: Operator, case: Case, cheat: Cheat) -> Verdict:
    """What becomes of an answer."""
    bound = Bound(operator.signature, draw_case(case, 5))
    expected = expect(operator, bound)
    call = bound.replace(cloned(bound.values))
    answer = observed(operator, call, cheat(operator, call))
    bounds = Bounds(operator, bound, expected, default_tolerance(operator.numeric))
    return judge_answer(operator, bound, expected, bounds, answer).verdict


def honest(operator: Operator, call: Bound) -> Any:
    return run(operator.reference, call)


def other_reduction(operator: Operator, call: Bound) -> Any:
    """A sum for a mean, and the other way round."""
    return run(operator.reference, call.replace({**call.values, "reduction": MEAN + SUM - call["reduction"]}))


def without_one(operator: Operator, call: Bound) -> Any:
    """All losses but one reduced, the greatest: another one may be too small to count."""
    each = run(operator.reference, call.replace({**call.values, "reduction": NONE})).reshape(-1)
    total = each.sum() - each.max()
    return total / each.numel() if call["reduction"] == MEAN else total


@every_loss
def test_the_reference_passes_what_the_cheats_fail(operator: Operator) -> None:
    assert {verdict(operator, case, honest) for case in reduced(operator)} == {Verdict.PASSED}


@every_loss
@pytest.mark.parametrize("cheat", [other_reduction, without_one])
def test_a_wrong_reduction_fails_every_case(operator: Operator, cheat: Cheat) -> None:
    cases = [case for case in reduced(operator) if case.tensors()[0].numel < 10_000]
    assert len(cases) >= 8
    assert {verdict(operator, case, cheat) for case in cases} == {Verdict.WRONG_VALUE}


@every_loss
def test_every_way_to_reduce_is_tried_and_the_default_too(operator: Operator) -> None:
    cases = operator.selected(Purpose.CHECK, Tier.SMOKE)
    assert {argument(case, "reduction") for case in cases} == {NONE, MEAN, SUM, OMIT}


def test_all_parts_have_one_shape_and_each_is_laid_out_apart_once() -> None:
    cases = pointwise(PARTS)
    assert all(len({tensor.shape for tensor in case.tensors()}) == 1 for case in cases)
    mixed = [[tensor.layout for tensor in case.tensors()] for case in cases if case.title == "mixed layouts"]
    assert len(mixed) == 6
    assert all(len(set(layouts)) == 2 for layouts in mixed)


def test_literal_parts_stay_in_step() -> None:
    cases = pointwise({"self": Literally(values=(1.0, 2.0)), "other": Normal()})
    assert len([case for case in cases if case.title == "mixed layouts"]) == 5


def test_single_elements_hold_what_is_asked() -> None:
    single: Parts = {"self": Literally(values=(7.0,)), "target": Normal()}
    one = [case for case in loss(PARTS, single=single) if case.tensors()[0].numel == 1]
    assert len(one) == 4
    assert all(case.tensors()[0].values == single["self"] for case in one)


def test_templates_have_the_names_of_the_parts() -> None:
    made = alike(PARTS, (3, 4))
    assert list(made) == ["self", "target"]
    assert all(tensor.shape == (3, 4) and tensor.dtype is None for tensor in made.values())
