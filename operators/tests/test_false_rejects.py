"""How often a run refuses a right sampler: at most once in a million runs, over all its random cases."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kgb_core.judge.draws import TRIALS_OF_A_CASE
from kgb_core.judge.golden import cloned, run
from kgb_core.judge.timed import MOST_CHECKED_CALLS
from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.draw import draw_case
from kgb_core.operators.rules import FALSE_REJECTS_OF_A_RUN, Random
from kgb_core.operators.spec import Kind, Operator
from kgb_operators import operators

RANDOM = {operator.name: operator for operator in operators() if operator.kind is Kind.RANDOM}

every_sampler = pytest.mark.parametrize("operator", RANDOM.values(), ids=RANDOM)


def trials_of(operator: Operator) -> int:
    """Distribution tests of all cases of an operator in one run of the largest tier, at the very most."""
    checks = len(operator.selected(Purpose.CHECK, Tier.FULL))
    perfs = len(operator.selected(Purpose.PERF, Tier.FULL))
    return checks * TRIALS_OF_A_CASE + perfs * MOST_CHECKED_CALLS


def limit_of(operator: Operator) -> float:
    assert isinstance(operator.numeric, Random)
    return operator.numeric.reject_below


def test_all_random_cases_together_stay_within_the_stated_rate() -> None:
    """By the union bound: each test refuses a right sampler with its own limit as probability, or less."""
    together = sum(trials_of(operator) * limit_of(operator) for operator in RANDOM.values())
    assert 0 < together <= FALSE_REJECTS_OF_A_RUN


def p_values(operator: Operator, rounds: int) -> list[float]:
    """P-values of the reference, which is a right sampler, in every small case with enough draws."""
    found = []
    assert isinstance(operator.numeric, Random)
    for number in range(rounds):
        for case in operator.selected(Purpose.CHECK, Tier.SMOKE):
            call = Bound(operator.signature, draw_case(case, number))
            answer = run(operator.reference, call.replace(cloned(call.values)))
            drawn = answer[0] if isinstance(answer, tuple) else answer
            if drawn.numel() > 30:
                found.append(operator.numeric.p_value(call, drawn))
    return found


@every_sampler
def test_the_p_values_of_a_right_sampler_are_no_smaller_than_they_say(operator: Operator) -> None:
    """The limit itself is too far out to see; a p-value that is valid here is of the same form there."""
    torch.manual_seed(11)
    found = np.array(p_values(operator, rounds=3))
    assert found.size >= 60
    for level in (0.5, 0.1, 0.02):
        slack = 4 * np.sqrt(level / found.size)
        assert np.mean(found < level) <= level + slack
