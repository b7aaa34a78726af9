"""What the right answer is: the reference run plainly for its structure, and in float64 for its values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from kgb_core.operators.binding import Bound
from kgb_core.operators.far import far_copy, is_far
from kgb_core.operators.rules import Exact, MetadataOnly, Random
from kgb_core.operators.spec import Operator, Reference

Scalar = bool | int | float | complex


@dataclass(frozen=True)
class ExpectedTensor:
    """One tensor that the operator must produce or leave behind.

    Attributes:
        value: the right values; float64 or complex128 where rounding is allowed, else the output dtype.
        dtype, shape, stride: as the reference gives them.
        alias: path of the argument whose memory it shares, or `None`.
        exact: True where values must be equal.
    """

    value: torch.Tensor
    dtype: torch.dtype
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    alias: str | None
    exact: bool


@dataclass(frozen=True)
class Expected:
    """Everything that a right call leaves behind."""

    outputs: list[ExpectedTensor | Scalar]
    is_sequence: bool
    """The operator returns a tuple or list, even if of one."""
    mutated: dict[str, ExpectedTensor] = field(default_factory=dict)


def expect(operator: Operator, bound: Bound) -> Expected:
    """Compute the right answer of a call.

    Args:
        operator: whose reference is run.
        bound: the arguments; they are not changed.

    Returns:
        Structure from a plain run, values from a run in float64 where the rule allows rounding.
    """
    plain_inputs = bound.replace(cloned(bound.values))
    plain = _outputs(run(operator.reference, plain_inputs))
    if _is_exact(operator):
        wide_inputs, wide = plain_inputs, plain
    else:
        wide_inputs = bound.replace(widened(bound.values))
        wide = _outputs(run_wide(operator.golden or operator.reference, wide_inputs))
    outputs = [
        _expected(p, w, _alias(p, plain_inputs), _is_exact(operator))
        for p, w in zip(plain.items, wide.items, strict=True)
    ]
    mutated = {
        name: _expected_tensor(plain_inputs[name], wide_inputs[name], name, _is_exact(operator))
        for name in sorted(operator.mutates)
    }
    return Expected(outputs, plain.is_sequence, mutated)


def run(function: Reference, bound: Bound) -> Any:
    """Call a function with bound arguments, without gradients."""
    with torch.no_grad():
        return function(*bound.args, **bound.kwargs)


def run_wide(function: Reference, bound: Bound) -> Any:
    """Call a function so that true division of integers and new tensors are float64 too."""
    with _default_dtype(torch.float64):
        return run(function, bound)


def outputs_of(function: Reference, bound: Bound) -> list[Any]:
    """The outputs of a float64 run as a flat list."""
    return _outputs(run_wide(function, bound)).items


def widened(values: dict[str, Any]) -> dict[str, Any]:
    """The same arguments with floats in float64 and complex numbers in complex128; tensors are copies."""
    return {name: _mapped(value, _wide) for name, value in values.items()}


def cloned(values: dict[str, Any]) -> dict[str, Any]:
    """Copies of the arguments that lie in memory as the originals do."""
    return {name: _mapped(value, clone_laid_out) for name, value in values.items()}


def clone_laid_out(value: Any) -> Any:
    """A copy of a tensor with its own storage and the same size, strides and offset."""
    if isinstance(value, torch.Generator):
        return value.clone_state()
    if not isinstance(value, torch.Tensor):
        return value
    if is_far(value):
        return far_copy(value)
    whole = torch.empty(0, dtype=torch.uint8, device=value.device)
    whole.set_(value.untyped_storage(), 0, (value.untyped_storage().nbytes(),), (1,))
    empty = torch.empty(0, dtype=value.dtype, device=value.device)
    return empty.set_(whole.clone().untyped_storage(), value.storage_offset(), value.size(), value.stride())


def _wide(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return _wide_dtype(value)
    if isinstance(value, torch.Tensor):
        return value.to(_wide_dtype(value.dtype), copy=True)
    return clone_laid_out(value)


def _wide_dtype(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, list) and any(isinstance(item, torch.Tensor) for item in value):
        return [change(item) for item in value]
    return change(value)


@contextmanager
def _default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@dataclass(frozen=True)
class _Outputs:
    items: list[Any]
    is_sequence: bool


def _outputs(returned: Any) -> _Outputs:
    if isinstance(returned, (tuple, list)):
        return _Outputs(list(returned), True)
    return _Outputs([returned], False)


def _is_exact(operator: Operator) -> bool:
    return isinstance(operator.numeric, (Exact, MetadataOnly, Random))


def _alias(output: Any, bound: Bound) -> str | None:
    if not isinstance(output, torch.Tensor) or not output.untyped_storage().nbytes():
        return None
    address = output.untyped_storage().data_ptr()
    for path, tensor in bound.tensors():
        if tensor.untyped_storage().data_ptr() == address:
            return path
    return None


def _expected(plain: Any, wide: Any, alias: str | None, exact: bool) -> ExpectedTensor | Scalar:
    if isinstance(plain, torch.Tensor):
        return _expected_tensor(plain, wide, alias, exact)
    scalar: Scalar = plain
    return scalar


def _expected_tensor(
    plain: torch.Tensor, wide: torch.Tensor, alias: str | None, exact: bool
) -> ExpectedTensor:
    rounds = plain.dtype.is_floating_point or plain.dtype.is_complex
    exact = exact or not rounds
    return ExpectedTensor(
        value=plain if exact else wide,
        dtype=plain.dtype,
        shape=tuple(plain.shape),
        stride=tuple(plain.stride()),
        alias=alias,
        exact=exact,
    )
