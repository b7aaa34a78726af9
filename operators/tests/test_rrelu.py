"""Random slopes: a right rectifier is accepted, and every way to be wrong that is tried on it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch

from kgb_core.judge.golden import run
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Operator
from kgb_operators import operators

(OPERATOR,) = (found for found in operators() if found.entry == "rrelu_with_noise")
SHAPE = (64, 128)
LOWER, UPPER = 0.125, 1 / 3


class Left:
    """A call of a rectifier: its arguments, what it returned, what it left in `noise`."""

    def __init__(self, call: Bound, output: torch.Tensor, noise: torch.Tensor) -> None:
        self.call, self.output, self.noise = call, output, noise

    @property
    def accepted(self) -> bool:
        """True when neither test refuses it."""
        rule = OPERATOR.numeric
        assert isinstance(rule, Random)
        assert rule.consistent
        left: Mapping[str, torch.Tensor] = {"noise": self.noise}
        if not rule.consistent(self.call, self.output, left):
            return False
        return rule.p_value(self.call, self.output) >= rule.reject_below


def call_of(operator: Operator, x: torch.Tensor, **others: Any) -> Bound:
    noise = torch.full_like(x, 9.0)
    return Bound(operator.signature, {"self": x, "noise": noise, "training": True, **others})


def rectified(slopes: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> Left:
    """What a rectifier with these slopes below zero leaves behind."""
    noise = torch.where(x <= 0, slopes(x), torch.ones_like(x))
    return Left(call_of(OPERATOR, x), x * noise, noise)


def uniform(x: torch.Tensor) -> torch.Tensor:
    return torch.rand_like(x) * (UPPER - LOWER) + LOWER


def input_of(seed: int = 3) -> torch.Tensor:
    torch.manual_seed(seed)
    return torch.randn(SHAPE)


def constant(x: torch.Tensor) -> torch.Tensor:
    return torch.full_like(x, (LOWER + UPPER) / 2)


def repeated(x: torch.Tensor) -> torch.Tensor:
    return uniform(x[:8]).repeat(8, 1)


def by_row(x: torch.Tensor) -> torch.Tensor:
    return uniform(x[:, :1]).expand(x.shape)


def squared(x: torch.Tensor) -> torch.Tensor:
    return torch.rand_like(x) ** 2 * (UPPER - LOWER) + LOWER


def from_zero(x: torch.Tensor) -> torch.Tensor:
    return torch.rand_like(x) * UPPER


def almost(x: torch.Tensor) -> torch.Tensor:
    """One slope of all is out of bounds."""
    slopes = uniform(x)
    slopes[x < 0] = slopes[x < 0].index_fill(0, torch.tensor([5]), 0.4)
    return slopes


@pytest.mark.parametrize("seed", range(20))
def test_uniform_slopes_are_accepted(seed: int) -> None:
    assert rectified(uniform, input_of(seed)).accepted


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_atens_own_slopes_are_accepted(dtype: torch.dtype) -> None:
    for seed in range(20):
        call = call_of(OPERATOR, input_of(seed).to(dtype))
        output = run(OPERATOR.reference, call)
        assert Left(call_of(OPERATOR, call["self"]), output, call["noise"]).accepted


@pytest.mark.parametrize("slopes", [constant, repeated, by_row, squared, from_zero, almost])
def test_other_slopes_are_refused(slopes: Callable[[torch.Tensor], torch.Tensor]) -> None:
    assert not rectified(slopes, -input_of().abs()).accepted


def stale(left: Left) -> None:
    left.noise = left.call["noise"]


def others(left: Left) -> None:
    left.noise = torch.where(left.call["self"] <= 0, uniform(left.noise), left.noise)


def zero_above(left: Left) -> None:
    left.noise = torch.where(left.call["self"] > 0, 0.0, left.noise)


def negated_output(left: Left) -> None:
    left.output = -left.output


def no_output(left: Left) -> None:
    left.output = torch.zeros_like(left.output)


@pytest.mark.parametrize("spoil", [stale, others, zero_above, negated_output, no_output])
def test_noise_and_output_must_belong_together(spoil: Callable[[Left], None]) -> None:
    left = rectified(uniform, input_of())
    spoil(left)
    assert not left.accepted


def test_outside_of_training_the_slope_is_the_mean_and_noise_is_left_alone() -> None:
    x = input_of()
    call = call_of(OPERATOR, x, training=False)
    right = torch.where(x > 0, x, x * ((LOWER + UPPER) / 2))
    assert Left(call, right, call["noise"]).accepted
    assert not Left(call, right * 1.001, call["noise"]).accepted
    assert not Left(call, right, torch.ones_like(x)).accepted
