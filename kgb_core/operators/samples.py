"""Arguments that somebody else made, written down as a case: every element a literal, so that it replays."""

from __future__ import annotations

from typing import Any

import torch

from kgb_core.models.case import (
    Argument,
    Case,
    DeviceArgument,
    DTypeArgument,
    Layout,
    MemoryFormat,
    MemoryFormatArgument,
    NamedArgument,
    Scalar,
    TensorListSpec,
    TensorSpec,
    Tier,
)
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Literally
from kgb_core.operators.draw import draw_tensor
from kgb_core.operators.spec import Operator

MOST_ELEMENTS = 4096
"""Of one tensor: a literal travels as text."""
LAYOUTS = (Layout.CONTIGUOUS, Layout.TRANSPOSED, Layout.STRIDED, Layout.EXPANDED, Layout.CHANNELS_LAST)
"""Tried in this order."""
_EXACT = 2**53
"""Whole numbers beyond it are not all floats, as which literals are kept."""


class Inexpressible(Exception):
    """A case can't say this; the message tells what, and is the same for all that share it."""


def case_of(operator: Operator, title: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Case:
    """The case that calls an operator with these arguments.

    Args:
        operator: whose entry is called.
        title: where the arguments come from.
        args, kwargs: as the entry gets them.

    Raises:
        Inexpressible: the entry does not take them, or a case can't say one of them.
    """
    try:
        bound = operator.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise Inexpressible("arguments that the entry does not take") from error
    named = tuple(
        NamedArgument(name=name, argument=_argument(value)) for name, value in bound.arguments.items()
    )
    return Case(arguments=named, tier=Tier.OPINFO, title=title, telling=False)


def _argument(value: Any) -> Argument:
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, torch.dtype):
        return DTypeArgument(dtype=_dtype(value))
    if isinstance(value, torch.memory_format):
        return MemoryFormatArgument(format=_format(value))
    if isinstance(value, torch.device):
        return DeviceArgument()
    if isinstance(value, str):
        return Scalar(text=value)
    if value is None or type(value) in (bool, int, float):
        return Scalar(value=value)
    if isinstance(value, (list, tuple)):
        return _list(value)
    raise Inexpressible(f"an argument of type {type(value).__name__}")


def _list(value: list[Any] | tuple[Any, ...]) -> Argument:
    if any(isinstance(item, torch.Tensor) for item in value):
        if not all(item is None or isinstance(item, torch.Tensor) for item in value):
            raise Inexpressible("a list of tensors and other things")
        return TensorListSpec(items=tuple(item if item is None else _tensor(item) for item in value))
    if any(type(item) not in (bool, int, float, type(None)) for item in value):
        raise Inexpressible("a list of things that are no numbers")
    return Scalar(value=tuple(value))


def _tensor(value: torch.Tensor) -> TensorSpec:
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.layout is not torch.strided:
        raise Inexpressible("a tensor that is not strided")
    if value.numel() > MOST_ELEMENTS:
        raise Inexpressible(f"a tensor of more than {MOST_ELEMENTS} elements")
    dtype = _dtype(value.dtype)
    if dtype.is_complex:
        raise Inexpressible("complex elements")
    elements = value.detach().resolve_neg().reshape(-1).tolist()
    if any(isinstance(element, int) and abs(element) > _EXACT for element in elements):
        raise Inexpressible("whole numbers beyond 2**53")
    values = Literally(values=tuple(elements) or (0.0,))
    return _laid_out(TensorSpec(shape=tuple(value.shape), dtype=dtype, values=values), value)


def _laid_out(spec: TensorSpec, value: torch.Tensor) -> TensorSpec:
    """The specification with the layout under which it is drawn as the tensor is: elements and strides."""
    for layout in LAYOUTS:
        made = spec.model_copy(update={"layout": layout})
        fits = layout is not Layout.CHANNELS_LAST or value.dim() == 4
        if fits and _alike(draw_tensor(made, 0), value.detach()):
            return made
    raise Inexpressible("strides that no layout has")


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return _strides(one) == _strides(other) and bool(
        ((one == other) | ((one != one) & (other != other))).all()
    )


def _strides(value: torch.Tensor) -> list[int]:
    """The strides that matter: of dimensions with more than one element."""
    return [
        step for size, step in zip(value.shape, value.stride(), strict=True) if size > 1 and value.numel()
    ]


def _dtype(value: torch.dtype) -> DType:
    try:
        return DType(str(value).removeprefix("torch."))
    except ValueError as error:
        raise Inexpressible(f"the type {value}") from error


def _format(value: torch.memory_format) -> MemoryFormat:
    try:
        return MemoryFormat(str(value).removeprefix("torch."))
    except ValueError as error:
        raise Inexpressible(f"the memory format {value}") from error
