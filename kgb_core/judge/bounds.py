"""How far from the golden value an answer may be: a bound for every element, scaled by the data.

A constant tolerance can be met by zeros wherever answers are small. Each part here is a multiple of
something that the data determine: the spacing of numbers at the golden value, the sum of the magnitudes that
were added, or how much the answer moves when the inputs move by a rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from kgb_core.judge.golden import Expected, ExpectedTensor, outputs_of, widened
from kgb_core.models.tolerance import Tolerance
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Product, Reduction
from kgb_core.operators.spec import Operator


class Bounds:
    """The bounds of one call, output by output.

    Args:
        operator: whose rule applies.
        bound: the arguments of the call.
        expected: the golden answer of the same call.
        tolerance: the scales.
    """

    def __init__(self, operator: Operator, bound: Bound, expected: Expected, tolerance: Tolerance) -> None:
        self._operator = operator
        self._bound = bound
        self._expected = expected
        self._tolerance = tolerance
        self._reference = operator.golden or operator.reference

    def of_output(self, index: int) -> torch.Tensor:
        """The bound for every element of an output that is a tensor; float64, of the output's shape."""
        expected = self._expected.outputs[index]
        assert isinstance(expected, ExpectedTensor)
        return self._of(expected, lambda values: self._output(values, index))

    def of_mutated(self, name: str) -> torch.Tensor:
        """The bound for the final contents of an argument that the operator changes."""
        return self._of(self._expected.mutated[name], lambda values: self._left_behind(values, name))

    def _of(self, expected: ExpectedTensor, evaluate: Any) -> torch.Tensor:
        if expected.exact:
            return torch.zeros(expected.shape, dtype=torch.float64, device=expected.value.device)
        compute = compute_dtype(expected.dtype)
        bound = self._tolerance.ulps * ulp(expected.value, expected.dtype) + torch.finfo(compute).tiny
        if self._tolerance.accumulation:
            bound = bound + self._accumulated(expected, evaluate, compute)
        if self._tolerance.input_ulps:
            bound = bound + self._conditioned(expected, evaluate, compute)
        return bound

    def _accumulated(self, expected: ExpectedTensor, evaluate: Any, compute: torch.dtype) -> torch.Tensor:
        rule = self._operator.numeric
        if isinstance(rule, Reduction) and rule.normalized:
            magnitude = expected.value.abs()
        else:
            absolute = {name: _absolute(value) for name, value in widened(self._bound.values).items()}
            magnitude = self._summed(absolute, evaluate).abs()
        growth = math.sqrt(max(1, self._terms(expected)))
        scale = self._tolerance.accumulation * _unit(compute) * growth
        return scale * _finite(magnitude)

    def _summed(self, absolute: dict[str, Any], evaluate: Any) -> torch.Tensor:
        rule = self._operator.numeric
        if isinstance(rule, Reduction) and rule.magnitude is not None:
            found: torch.Tensor = outputs_of(rule.magnitude, self._bound.replace(absolute))[0]
        else:
            found = evaluate(absolute)
        return found

    def _terms(self, expected: ExpectedTensor) -> int:
        rule = self._operator.numeric
        if isinstance(rule, Product):
            return rule.terms(self._bound)
        assert isinstance(rule, Reduction)
        if rule.terms is not None:
            return rule.terms(self._bound)
        source = next(tensor for _, tensor in self._bound.tensors())
        return int(source.numel() // max(1, math.prod(expected.shape)))

    def _conditioned(self, expected: ExpectedTensor, evaluate: Any, compute: torch.dtype) -> torch.Tensor:
        moved = torch.zeros(expected.shape, dtype=torch.float64, device=expected.value.device)
        step = self._tolerance.input_ulps * _unit(compute)
        for values in _perturbed(widened(self._bound.values), step):
            moved = torch.maximum(moved, _finite((evaluate(values) - expected.value).abs()))
        return moved

    def _output(self, values: dict[str, Any], index: int) -> torch.Tensor:
        found: torch.Tensor = outputs_of(self._reference, self._bound.replace(values))[index]
        return found

    def _left_behind(self, values: dict[str, Any], name: str) -> torch.Tensor:
        outputs_of(self._reference, self._bound.replace(values))
        found: torch.Tensor = values[name]
        return found


def ulp(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The spacing of `dtype` at each value, not below that of its smallest normal number; float64."""
    info = torch.finfo(dtype)
    magnitude = _finite(value.abs()).clamp(min=info.tiny, max=info.max).to(torch.float64)
    _, exponent = torch.frexp(magnitude)
    return torch.ldexp(torch.full_like(magnitude, info.eps), exponent - 1)


def compute_dtype(dtype: torch.dtype) -> torch.dtype:
    """The precision that a careful kernel computes in: float32 below float64."""
    if dtype in (torch.float64, torch.complex128):
        return torch.float64
    return torch.float32


def _perturbed(values: dict[str, Any], step: float) -> Iterator[dict[str, Any]]:
    """The arguments with one inexact tensor after another moved up and down by a relative step."""
    for name, value in values.items():
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
            for factor in (1 + step, 1 - step):
                yield {**{k: _copied(v) for k, v in values.items()}, name: value * factor}


def _copied(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value


def _absolute(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
        return value.abs()
    return value


def _finite(value: torch.Tensor) -> torch.Tensor:
    return torch.nan_to_num(value, nan=0.0, posinf=0.0, neginf=0.0)


def _unit(dtype: torch.dtype) -> float:
    return torch.finfo(dtype).eps / 2
