"""Comparing what came back with what is right: a finding for each way to be wrong, and the errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from kgb_core.judge.bounds import Bounds, ulp
from kgb_core.judge.golden import Expected, ExpectedTensor, Scalar
from kgb_core.models.record import Errors
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import MetadataOnly, Random
from kgb_core.operators.spec import Kind, Operator, Strides


@dataclass(frozen=True)
class AnswerTensor:
    """A returned tensor: its elements, how they lay in memory, and the argument whose memory it shares."""

    elements: torch.Tensor
    stride: tuple[int, ...]
    alias: str | None = None


@dataclass(frozen=True)
class Foreign:
    """A returned object that no operator returns."""

    type: str


@dataclass(frozen=True)
class Answer:
    """What a call left behind, on the judge's side of the process line.

    Attributes:
        outputs: in the order returned.
        is_sequence: it returned a tuple or list.
        mutated: final contents of the arguments that the operator changes.
    """

    outputs: list[AnswerTensor | Scalar | Foreign]
    is_sequence: bool
    mutated: dict[str, torch.Tensor]


@dataclass(frozen=True)
class Finding:
    """A verdict on one call with its one-line reason; `errors` where values were compared."""

    verdict: Verdict
    message: str = ""
    errors: Errors | None = None


def judge_answer(
    operator: Operator, bound: Bound, expected: Expected, bounds: Bounds, answer: Answer, allowed: float = 1.0
) -> Finding:
    """Compare an answer with the expected one.

    Args:
        operator: what was called.
        bound: the arguments, for distribution tests.
        expected: the golden answer.
        bounds: how far from it each element may be.
        answer: what came back.
        allowed: factor on the bound that still passes; above 1 where the native implementation needs it.

    Returns:
        The first thing that is wrong, in the order structure, dtype, shape, alias, value; else `passed`.
    """
    wrong = _structure(expected, answer) or _metadata(operator, expected, answer)
    if wrong:
        return wrong
    if isinstance(operator.numeric, MetadataOnly):
        return Finding(Verdict.PASSED)
    if isinstance(operator.numeric, Random):
        return _distribution(operator.numeric, bound, answer)
    return _values(expected, bounds, answer, allowed)


def _structure(expected: Expected, answer: Answer) -> Finding | None:
    if expected.is_sequence != answer.is_sequence or len(expected.outputs) != len(answer.outputs):
        want = _plural(len(expected.outputs), expected.is_sequence)
        got = _plural(len(answer.outputs), answer.is_sequence)
        return Finding(Verdict.WRONG_STRUCTURE, f"returned {got}, want {want}")
    for want_one, got_one in zip(expected.outputs, answer.outputs, strict=True):
        if isinstance(want_one, ExpectedTensor) and not isinstance(got_one, AnswerTensor):
            return Finding(Verdict.WRONG_STRUCTURE, f"returned {_type_name(got_one)}, want a tensor")
        if not isinstance(want_one, ExpectedTensor) and type(got_one) is not type(want_one):
            return Finding(
                Verdict.WRONG_STRUCTURE, f"returned {_type_name(got_one)}, want {type(want_one).__name__}"
            )
    return None


def _plural(count: int, is_sequence: bool) -> str:
    return f"a sequence of {count}" if is_sequence else "one value"


def _type_name(value: object) -> str:
    if isinstance(value, Foreign):
        return value.type
    return "a tensor" if isinstance(value, AnswerTensor) else type(value).__name__


def _metadata(operator: Operator, expected: Expected, answer: Answer) -> Finding | None:
    for index, (want, got) in enumerate(zip(expected.outputs, answer.outputs, strict=True)):
        if not isinstance(want, ExpectedTensor) or not isinstance(got, AnswerTensor):
            continue
        place = f"output {index}: " if len(expected.outputs) > 1 else ""
        elements = got.elements
        if elements.dtype is not want.dtype:
            return Finding(
                Verdict.WRONG_DTYPE, f"{place}got {_short(elements.dtype)}, want {_short(want.dtype)}"
            )
        if tuple(elements.shape) != want.shape:
            return Finding(Verdict.WRONG_SHAPE, f"{place}got {tuple(elements.shape)}, want {want.shape}")
        wrong = _strides(operator, want, got, place) or _alias(operator, want, got.alias, place)
        if wrong:
            return wrong
    return None


def _strides(operator: Operator, want: ExpectedTensor, got: AnswerTensor, place: str) -> Finding | None:
    if _same_strides(want, got):
        return None
    if (operator.strides is Strides.DENSE or operator.kind is Kind.VIEW) and is_dense(want.shape, got.stride):
        return None
    rule = "" if operator.strides is Strides.EXACT else " or any without holes"
    return Finding(Verdict.WRONG_SHAPE, f"{place}strides {got.stride}, want {want.stride}{rule}")


def _same_strides(want: ExpectedTensor, got: AnswerTensor) -> bool:
    return all(size == 1 or a == b for size, a, b in zip(want.shape, want.stride, got.stride, strict=True))


def is_dense(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """True when elements of that layout fill their span of memory without holes or overlap, in any order."""
    if 0 in shape:
        return True
    span = 1
    for step, size in sorted((s, n) for s, n in zip(stride, shape, strict=True) if n != 1):
        if step != span:
            return False
        span *= size
    return True


def _alias(operator: Operator, want: ExpectedTensor, got: str | None, place: str) -> Finding | None:
    if operator.kind is Kind.VIEW or got == want.alias or 0 in want.shape:
        return None
    if want.alias in operator.mutates:
        return Finding(Verdict.WRONG_ALIAS, f"{place}does not return {want.alias} itself")
    if want.alias is not None:
        return None
    return Finding(Verdict.WRONG_ALIAS, f"{place}shares memory with {got}")


def _distribution(rule: Random, bound: Bound, answer: Answer) -> Finding:
    (output,) = answer.outputs
    assert isinstance(output, AnswerTensor)
    call, drawn = bound.replace(_on_cpu(bound.values)), output.elements.cpu()
    if rule.consistent and not rule.consistent(call, drawn, _on_cpu(answer.mutated)):
        names = ", ".join(sorted(answer.mutated))
        return Finding(Verdict.WRONG_VALUE, f"what it left in {names} does not belong to its output")
    p_value = rule.p_value(call, drawn)
    if p_value < rule.reject_below:
        limit = f"{rule.reject_below:.0e}"
        return Finding(
            Verdict.WRONG_VALUE, f"a right sampler gives this with probability {p_value:.1e} < {limit}"
        )
    return Finding(Verdict.PASSED)


def _on_cpu(values: dict[str, Any]) -> dict[str, Any]:
    return {name: v.cpu() if isinstance(v, torch.Tensor) else v for name, v in values.items()}


def _values(expected: Expected, bounds: Bounds, answer: Answer, allowed: float) -> Finding:
    worst: Finding | None = None
    for index, (want, got) in enumerate(zip(expected.outputs, answer.outputs, strict=True)):
        if isinstance(want, ExpectedTensor):
            assert isinstance(got, AnswerTensor)
            finding = compare_tensors(got.elements, want, bounds.of_output(index), allowed)
        else:
            finding = _compare_scalars(got, want)
        worst = _worse(worst, finding)
    for name, want_tensor in expected.mutated.items():
        finding = compare_tensors(answer.mutated[name], want_tensor, bounds.of_mutated(name), allowed)
        worst = _worse(worst, finding)
    return worst or Finding(Verdict.PASSED)


def _worse(first: Finding | None, second: Finding) -> Finding:
    if first is None:
        return second
    return second if _badness(second) > _badness(first) else first


def _badness(finding: Finding) -> float:
    if finding.errors:
        return finding.errors.scale
    return 0.0 if finding.verdict is Verdict.PASSED else math.inf


def _compare_scalars(got: object, want: Scalar) -> Finding:
    both_nan = want != want and got != got
    if got == want or both_nan:
        return Finding(Verdict.PASSED)
    return Finding(Verdict.WRONG_VALUE, f"got {got!r}, want {want!r}")


def compare_tensors(
    got: torch.Tensor, want: ExpectedTensor, bound: torch.Tensor, allowed: float = 1.0
) -> Finding:
    """Compare values element by element; dtype and shape already agree.

    Args:
        got: the answer, in the output dtype.
        want: the golden value.
        bound: non-negative float64 of the same shape.
        allowed: factor on the bound that still passes.
    """
    if not got.numel():
        return Finding(
            Verdict.PASSED, errors=Errors(max_abs=0, max_rel=0, max_ulp=0, rms=0, golden_rms=0, scale=0)
        )
    answer = got.to(torch.complex128 if want.value.is_complex() else torch.float64)
    golden = _rounded(want, bound * allowed, answer)
    bad_mask = _mask_differs(answer, golden)
    if want.exact:
        bad_mask |= (got != want.value) & ~torch.isnan(golden)  # float64 can't hold every int64
    error = torch.where(torch.isfinite(golden) & torch.isfinite(answer), (answer - golden).abs(), 0.0)
    error = error.to(torch.float64)
    scale = torch.where(error == 0, 0.0, error / bound)
    scale = torch.where(bad_mask, math.inf, scale)
    errors = _errors(got, golden, error, scale, want)
    if errors.scale <= allowed:
        return Finding(Verdict.PASSED, errors=errors)
    place = f" at {errors.worst_index}" if errors.worst_index else ""
    return Finding(Verdict.WRONG_VALUE, f"got {errors.got}, want {errors.want}{place}", errors)


def _rounded(want: ExpectedTensor, slack: torch.Tensor, got: torch.Tensor) -> torch.Tensor:
    """Golden values with overflow of the output dtype applied; at its edge, either side is right."""
    golden = want.value.to(got.dtype)
    if want.exact or golden.is_complex():
        return golden
    largest = torch.finfo(want.dtype).max
    edge = largest * (1 + torch.finfo(want.dtype).eps / 4)
    overflow = golden.abs() >= edge
    either = torch.isinf(got) & (golden.abs() + slack >= largest) & (got.sign() == golden.sign())
    return torch.where(overflow | either, golden.sign() * math.inf, golden)


def _mask_differs(answer: torch.Tensor, golden: torch.Tensor) -> torch.Tensor:
    nan_differs = torch.isnan(answer) != torch.isnan(golden)
    infinite = torch.isinf(golden) | torch.isinf(answer)
    if golden.is_complex():
        return nan_differs | (infinite & (torch.isinf(golden) != torch.isinf(answer)))
    both_nan = torch.isnan(answer) & torch.isnan(golden)
    return nan_differs | (infinite & ~both_nan & (answer != golden))


def _errors(
    got: torch.Tensor, golden: torch.Tensor, error: torch.Tensor, scale: torch.Tensor, want: ExpectedTensor
) -> Errors:
    worst = int(torch.argmax(scale))
    magnitude = golden.abs().to(torch.float64)
    relative = torch.where((error > 0) & (magnitude > 0), error / magnitude, 0.0)
    spacing = ulp(golden, want.dtype) if not want.exact else torch.ones_like(error)
    return Errors(
        max_abs=float(error.max()),
        max_rel=float(torch.nan_to_num(relative).max()),
        max_ulp=float((error / spacing).max()),
        rms=float(error.square().mean().sqrt()),
        golden_rms=float(torch.where(torch.isfinite(golden), magnitude, 0.0).square().mean().sqrt()),
        scale=float(scale.max()),
        worst_index=tuple(map(int, np.unravel_index(worst, want.shape))),
        got=_shown(got.reshape(-1)[worst]),
        want=_shown(golden.reshape(-1)[worst]),
    )


def _shown(element: torch.Tensor) -> str:
    value = element.item()
    return f"{value:.6g}" if isinstance(value, (float, complex)) else str(value)


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
