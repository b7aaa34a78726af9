"""For every operator two cases more: tensors with gaps in every dimension, which no kernel can merge.

Mutants of the honest kernels showed what is missing without them: where all layouts merge into two
dimensions, the arithmetic of a third is never used.
"""

from __future__ import annotations

from kgb_core.models.case import (
    Argument,
    Case,
    Layout,
    NamedArgument,
    Purpose,
    TensorListSpec,
    TensorSpec,
    Tier,
)
from kgb_core.operators.spec import Operator

CASES = 2
LEAST_RANK = 3
LARGEST = 4096
"""Elements: gaps take up to 64 times as much memory."""


def with_gaps(operator: Operator) -> list[Case]:
    """The operator's cases of the highest ranks, as declared contiguous, with gaps; none if it has some."""
    if any(tensor.layout is Layout.GAPS for case in operator.cases for tensor in case.tensors()):
        return []
    fit = [case for case in operator.selected(Purpose.CHECK, Tier.SMOKE) if _fits(case)]
    chosen = sorted(fit, key=_rank, reverse=True)[:CASES]
    return [
        case.model_copy(update={"title": f"{case.title}, gaps".lstrip(", "), "arguments": _gapped(case)})
        for case in chosen
    ]


def _fits(case: Case) -> bool:
    tensors = case.tensors()
    contiguous = all(tensor.layout is Layout.CONTIGUOUS for tensor in tensors)
    sizes = all(0 < tensor.numel <= LARGEST for tensor in tensors)
    return case.telling and bool(tensors) and contiguous and sizes and _rank(case) >= LEAST_RANK


def _rank(case: Case) -> int:
    return max((len(tensor.shape) for tensor in case.tensors()), default=0)


def _gapped(case: Case) -> tuple[NamedArgument, ...]:
    return tuple(
        NamedArgument(name=named.name, argument=_changed(named.argument)) for named in case.arguments
    )


def _changed(argument: Argument) -> Argument:
    if isinstance(argument, TensorSpec):
        return argument.model_copy(update={"layout": Layout.GAPS})
    if isinstance(argument, TensorListSpec):
        items = tuple(item and item.model_copy(update={"layout": Layout.GAPS}) for item in argument.items)
        return TensorListSpec(items=items)
    return argument
