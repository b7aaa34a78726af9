"""Writing cases: tensors by their distribution, single cases, and grids of them.

    softmax.check(
        grid(self=shapes((1,), (7, 1023)), dim=[0, -1], dtypes=FLOATING, layouts=ANY_LAYOUT),
        case("a row of -inf", self=fill((4, 33), -inf, dtype=fp32), dim=1),
    )

A tensor without a dtype or layout is a template: the grid completes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from kgb_core.errors import OperatorError
from kgb_core.models.case import (
    Argument,
    Case,
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
from kgb_core.models.values import (
    Fill,
    Integers,
    Literally,
    Normal,
    Permutation,
    Sprinkle,
    Uniform,
    Values,
)

inf = float("inf")
nan = float("nan")

fp16, bf16, fp32, fp64 = DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64
i8, i16, i32, i64, u8 = DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.UINT8
c64, c128 = DType.COMPLEX64, DType.COMPLEX128
boolean = DType.BOOL

HALF = (fp16, bf16)
FLOATING = (fp16, bf16, fp32)
"""The floating types that kernels are written for; float64 is added where an operator is expected to have
it.
"""
INTEGER = (i32, i64)
ANY_LAYOUT = (Layout.CONTIGUOUS, Layout.TRANSPOSED, Layout.STRIDED, Layout.EXPANDED)
DENSE_LAYOUT = (Layout.CONTIGUOUS, Layout.TRANSPOSED, Layout.STRIDED)
"""Layouts that an in-place operator can write through."""
SPECIALS = (nan, inf, -inf, 0.0, -0.0, 1e-40, -1e-40, 65504.0, -65504.0)
"""NaN, infinities, both zeros, a float32 denormal and the largest float16."""


def tensor(
    shape: Sequence[int], values: Values, dtype: DType | None = None, layout: Layout = Layout.CONTIGUOUS
) -> TensorSpec:
    """A tensor of `shape` with elements drawn from `values`."""
    return TensorSpec(shape=tuple(shape), values=values, dtype=dtype, layout=layout)


def normal(
    shape: Sequence[int],
    mean: float = 0.0,
    std: float = 1.0,
    *,
    dtype: DType | None = None,
    layout: Layout = Layout.CONTIGUOUS,
) -> TensorSpec:
    """Normally distributed elements."""
    return tensor(shape, Normal(mean=mean, std=std), dtype, layout)


def uniform(
    shape: Sequence[int],
    low: float = 0.0,
    high: float = 1.0,
    *,
    dtype: DType | None = None,
    layout: Layout = Layout.CONTIGUOUS,
) -> TensorSpec:
    """Elements uniform in [low, high)."""
    return tensor(shape, Uniform(low=low, high=high), dtype, layout)


def integers(
    shape: Sequence[int],
    low: int = -8,
    high: int = 9,
    *,
    dtype: DType | None = None,
    layout: Layout = Layout.CONTIGUOUS,
) -> TensorSpec:
    """Whole numbers in [low, high): ties, indices, masks."""
    return tensor(shape, Integers(low=low, high=high), dtype, layout)


def permutation(shape: Sequence[int], *, dtype: DType | None = None) -> TensorSpec:
    """0 .. numel-1 in random order: no duplicates."""
    return tensor(shape, Permutation(), dtype)


def fill(shape: Sequence[int], value: float | bool, *, dtype: DType | None = None) -> TensorSpec:
    """One value everywhere."""
    return tensor(shape, Fill(value=value), dtype)


def literally(shape: Sequence[int], *values: float | bool, dtype: DType | None = None) -> TensorSpec:
    """These values in row-major order, repeated as needed."""
    return tensor(shape, Literally(values=values), dtype)


def sprinkle(
    shape: Sequence[int],
    *specials: float,
    dtype: DType | None = None,
    layout: Layout = Layout.CONTIGUOUS,
    share: float = 0.2,
) -> TensorSpec:
    """Normal elements with special values scattered among them; `SPECIALS` when none are named."""
    return tensor(shape, Sprinkle(specials=specials or SPECIALS, share=share), dtype, layout)


def shapes(*sizes: Sequence[int], values: Values | None = None) -> list[TensorSpec]:
    """One template for each shape, for a grid."""
    return [tensor(size, values or Normal()) for size in sizes]


def case(title: str, /, *, tier: Tier = Tier.SMOKE, telling: bool = True, **arguments: Any) -> Case:
    """One case. Keyword arguments are the parameters of the operator.

    Args:
        title: what a tester would call it; the origin of a perf case.
        tier: when it runs.
        telling: False where the right answer is trivial by nature, so that zeros, ones or the input pass.
        arguments: values, tensors, lists and dtypes by parameter.

    Raises:
        OperatorError: a tensor has no dtype.
    """
    made = _make(title, tier, telling, arguments)
    if any(t.dtype is None for t in made.tensors()):
        raise OperatorError(
            f"case {title!r}: a tensor has no dtype", made.label, "write normal(shape, dtype=fp32)"
        )
    return made


def grid(
    title: str = "",
    /,
    *,
    dtypes: Sequence[DType] = (),
    layouts: Sequence[Layout] = (Layout.CONTIGUOUS,),
    tier: Tier = Tier.SMOKE,
    telling: bool = True,
    **choices: Any,
) -> list[Case]:
    """Every combination of the choices, as cases, each distinct one once.

    Args:
        dtypes: given in turn to every tensor without one.
        layouts: given in turn to every tensor without a dtype of its own.
        title, tier, telling: as in `case`.
        choices: for each parameter one value or a list of them. To pass one list as value (sizes, tensors),
            wrap it: `size=[[2, 3]]`. The value `OMIT` leaves a parameter at its default.
    """
    names = list(choices)
    pools = [value if isinstance(value, list) else [value] for value in choices.values()]
    found: dict[str, Case] = {}
    for element, order in itertools.product(dtypes or (None,), layouts):
        for picked in itertools.product(*pools):
            arguments = {
                name: _complete(value, element, order) for name, value in zip(names, picked, strict=True)
            }
            made = _make(title, tier, telling, arguments)
            found.setdefault(made.model_dump_json(include={"arguments"}), made)
    return list(found.values())


class _Omit:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = _Omit()
"""In a grid: leave this parameter at its default."""


def _make(title: str, tier: Tier, telling: bool, arguments: dict[str, Any]) -> Case:
    named = tuple(
        NamedArgument(name=name, argument=_argument(value))
        for name, value in arguments.items()
        if value is not OMIT
    )
    return Case(title=title, tier=tier, telling=telling, arguments=named)


def _argument(value: Any) -> Argument:
    if isinstance(value, DType):
        return DTypeArgument(dtype=value)
    if isinstance(value, MemoryFormat):
        return MemoryFormatArgument(format=value)
    if isinstance(value, (list, tuple)):
        if _lists_tensors(value):
            return TensorListSpec(items=tuple(value))
        return Scalar(value=tuple(value))
    if isinstance(value, str):
        return Scalar(text=value)
    if isinstance(value, (bool, int, float)) or value is None:
        return Scalar(value=value)
    argument: Argument = value
    return argument


def _complete(value: Any, dtype: DType | None, layout: Layout) -> Any:
    if isinstance(value, TensorSpec):
        return _complete_tensor(value, dtype, layout)
    if isinstance(value, (list, tuple)) and _lists_tensors(value):
        return [item and _complete_tensor(item, dtype, layout) for item in value]
    return value


def _lists_tensors(value: Sequence[Any]) -> bool:
    """True for tensors with or without `None` among them."""
    given = [item for item in value if item is not None]
    return bool(given) and all(isinstance(item, TensorSpec) for item in given)


def _complete_tensor(spec: TensorSpec, dtype: DType | None, layout: Layout) -> TensorSpec:
    if spec.dtype is not None:
        return spec
    if dtype is None:
        raise OperatorError("a tensor in a grid has no dtype", spec.label, "give the grid dtypes=FLOATING")
    keep = spec.layout is not Layout.CONTIGUOUS
    return spec.model_copy(update={"dtype": dtype, "layout": spec.layout if keep else layout})
