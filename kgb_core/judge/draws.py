"""Judging random operators: which calls are made, and whether their numbers belong together as they must.

A sampler that ignores its seed, its generator or the generator's state draws credible numbers in every single
call. Only several calls beside one another show it: see `Draw`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from kgb_core.judge.compare import Answer, AnswerTensor, Finding
from kgb_core.models.draw import Draw
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Random

TRIALS_OF_A_CASE = 6
"""Distribution tests that one check case takes: of the native answer, the first, the next and the other call,
and of the last two each together with the first. A repeated call repeats numbers that were tested."""


@dataclass(frozen=True)
class _First:
    """What the first call of a case drew."""

    case: str
    drawn: list[torch.Tensor]


class Draws:
    """Remembers the first call of the case at hand, and holds the later ones against it."""

    def __init__(self) -> None:
        self._first: _First | None = None

    def judge(self, rule: Random, case: str, draw: Draw, bound: Bound, answer: Answer) -> Finding:
        """What a call shows beside the first one.

        Args:
            rule: of the operator.
            case: names operator, case and seed.
            draw: what the call is to show.
            bound: the arguments, the same in every call of the case.
            answer: what came back; by itself it is credible.
        """
        drawn = [tensor.cpu() for tensor in _tensors(answer)]
        if draw is Draw.FIRST:
            self._first = _First(case, drawn)
            return Finding(Verdict.PASSED)
        assert self._first is not None and self._first.case == case, "the first call is judged first"
        if draw.independent:
            return _independent(rule, draw, bound, self._first.drawn, drawn)
        if all(_same_bits(one, other) for one, other in zip(self._first.drawn, drawn, strict=True)):
            return Finding(Verdict.PASSED)
        return Finding(Verdict.NONDETERMINISTIC, "with the same seed it draws other numbers")


def _tensors(answer: Answer) -> Iterable[torch.Tensor]:
    yield from (output.elements for output in answer.outputs if isinstance(output, AnswerTensor))
    yield from (answer.mutated[name] for name in sorted(answer.mutated))


def _independent(
    rule: Random, draw: Draw, bound: Bound, first: list[torch.Tensor], drawn: list[torch.Tensor]
) -> Finding:
    """Two calls with the same arguments are one call on the arguments stacked: it must be credible too."""
    stacked = bound.replace({name: _stacked(value) for name, value in bound.values.items()})
    p_value = rule.p_value(stacked, torch.stack([first[0], drawn[0]]))
    if p_value >= rule.reject_below:
        return Finding(Verdict.PASSED)
    when = "the next call" if draw is Draw.NEXT else "another seed"
    what = "the same numbers" if _same_bits(first[0], drawn[0]) else "numbers that depend on the first call's"
    odds = f"a right sampler does so with probability {p_value:.1e} < {rule.reject_below:.0e}"
    return Finding(Verdict.WRONG_VALUE, f"{when} gives {what}: {odds}")


def _stacked(value: Any) -> Any:
    return torch.stack([value.cpu(), value.cpu()]) if isinstance(value, torch.Tensor) else value


def _same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.equal(
        one.contiguous().flatten().view(torch.uint8), other.contiguous().flatten().view(torch.uint8)
    )
