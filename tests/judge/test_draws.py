"""Several calls of a random operator beside one another: the same numbers where they must be the same."""

from __future__ import annotations

import pytest
import torch

from kgb_core.judge.compare import Answer, AnswerTensor, Finding
from kgb_core.judge.draws import Draws
from kgb_core.models.draw import Draw
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Kind, Operator

SIZE = 100


def sample(self: torch.Tensor) -> torch.Tensor:
    """Uniform numbers."""
    return torch.rand_like(self)


def agreement(call: Bound, output: torch.Tensor) -> float:
    """0 where two stacked calls agree anywhere, as uniform numbers don't."""
    assert output.shape == call["self"].shape
    return float(output.dim() == 1 or not bool((output[0] == output[1]).any()))


RULE = Random(agreement)
BOUND = Bound(Operator("law::sample", sample, RULE, kind=Kind.RANDOM).signature, {"self": torch.zeros(SIZE)})


def answer(seed: int) -> Answer:
    drawn = torch.rand(SIZE, generator=torch.Generator().manual_seed(seed))
    return Answer([AnswerTensor(drawn, (1,))], False, {})


def after(first: Answer, draw: Draw, second: Answer) -> Finding:
    """The finding on a second call."""
    draws = Draws()
    assert draws.judge(RULE, "case", Draw.FIRST, BOUND, first).verdict is Verdict.PASSED
    return draws.judge(RULE, "case", draw, BOUND, second)


@pytest.mark.parametrize("draw", [Draw.NEXT, Draw.OTHER])
def test_other_numbers_must_be_others(draw: Draw) -> None:
    assert after(answer(1), draw, answer(2)).verdict is Verdict.PASSED
    found = after(answer(1), draw, answer(1))
    assert found.verdict is Verdict.WRONG_VALUE
    assert "the same numbers" in found.message


def test_the_same_seed_must_give_the_same_numbers() -> None:
    assert after(answer(1), Draw.AGAIN, answer(1)).verdict is Verdict.PASSED
    assert after(answer(1), Draw.AGAIN, answer(2)).verdict is Verdict.NONDETERMINISTIC


def test_numbers_that_agree_in_part_depend_on_one_another() -> None:
    mixed = answer(2)
    (output,) = mixed.outputs
    assert isinstance(output, AnswerTensor)
    (first,) = answer(1).outputs
    assert isinstance(first, AnswerTensor)
    output.elements[: SIZE // 2] = first.elements[: SIZE // 2]
    assert "depend on the first" in after(answer(1), Draw.OTHER, mixed).message


def test_what_an_in_place_sampler_left_behind_counts_too() -> None:
    def left(value: float) -> Answer:
        return Answer(answer(1).outputs, False, {"self": torch.full((3,), value)})

    assert after(left(1.0), Draw.AGAIN, left(1.0)).verdict is Verdict.PASSED
    assert after(left(1.0), Draw.AGAIN, left(2.0)).verdict is Verdict.NONDETERMINISTIC


def test_each_case_begins_anew() -> None:
    draws = Draws()
    draws.judge(RULE, "one", Draw.FIRST, BOUND, answer(1))
    draws.judge(RULE, "two", Draw.FIRST, BOUND, answer(2))
    assert draws.judge(RULE, "two", Draw.AGAIN, BOUND, answer(2)).verdict is Verdict.PASSED
