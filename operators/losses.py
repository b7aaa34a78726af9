"""Cases of losses and of gradients: several tensors of one shape, and the three ways to reduce a loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Literally, Values
from kgb_core.operators.cases import ANY_LAYOUT, FLOATING, OMIT, bf16, fp16, fp32, fp64, grid, tensor
from kgb_operators.families import RANK_6, VIEWS

Parts = Mapping[str, Values]
"""The tensors of an operator, which have one shape: what each holds, by parameter."""
NONE, MEAN, SUM = 0, 1, 2
"""ATen's numbers for the ways to reduce a loss."""
LOSSES_OF_HALVES = (127, 257)
"""So few elements that their sum fits in float16, whose mean ATen takes of that sum on CPUs."""


def alike(parts: Parts, shape: Sequence[int], layout: Layout = Layout.CONTIGUOUS) -> dict[str, Any]:
    """A template of that shape for each part, as keyword arguments of `grid`."""
    return {name: tensor(shape, values, layout=layout) for name, values in parts.items()}


def pointwise(
    parts: Parts, dtypes: Sequence[DType] = FLOATING, *, single: Parts | None = None, **others: Any
) -> list[Case]:
    """Shapes and layouts for an operator that works element by element on tensors of one shape.

    Args:
        parts: its tensors.
        dtypes: types that every layout is tried with; the odd shapes are tried in float32.
        single: what tensors of one element hold instead, where a draw may have a trivial answer.
        others: further arguments, the same in every case.
    """
    some, last, alternating = (fp32,), Layout.CHANNELS_LAST, ANY_LAYOUT[::2]
    return [
        *grid(**alike(parts, (37, 53)), dtypes=dtypes, layouts=ANY_LAYOUT, **others),
        *grid("type", **alike(parts, (9, 57)), dtypes=(fp64,), layouts=alternating, **others),
        *_mixed(parts, VIEWS, **others),
        *grid("0-d", **alike(single or parts, ()), dtypes=some, **others),
        *grid("one element", **alike(single or parts, (1, 1)), dtypes=some, **others),
        *grid("empty", **alike(parts, (3, 0, 5)), dtypes=some, **others),
        *grid("odd sizes", **alike(parts, (1021,)), dtypes=some, **others),
        *grid("odd sizes", **alike(parts, (3, 5, 7)), dtypes=some, layouts=alternating, **others),
        *grid("rank 6", **alike(parts, RANK_6), dtypes=some, layouts=alternating, **others),
        *grid("channels last", **alike(parts, (2, 3, 5, 7), last), dtypes=dtypes[:1], **others),
        *grid("million", **alike(parts, (1_000_003,)), dtypes=dtypes, tier=Tier.STANDARD, **others),
        *grid(
            "odd", **alike(parts, (1023, 1025)), dtypes=dtypes, layouts=VIEWS, tier=Tier.STANDARD, **others
        ),
    ]


def _mixed(parts: Parts, views: Sequence[Layout], **others: Any) -> list[Case]:
    """Each part in its turn laid out otherwise than the rest, in float32.

    Literal parts stay in step with one another, which one expanded by itself would not.
    """
    return [
        made
        for name, values in parts.items()
        for view in views
        if not (view is Layout.EXPANDED and isinstance(values, Literally))
        for made in grid(
            "mixed layouts",
            **{**alike(parts, (19, 31)), name: tensor((19, 31), values, layout=view)},
            dtypes=(fp32,),
            **others,
        )
    ]


def loss(
    parts: Parts, dtypes: Sequence[DType] = FLOATING, *, single: Parts | None = None, **others: Any
) -> list[Case]:
    """What every loss with a `reduction` is tried with: element by element, as a mean and as a sum.

    Args:
        parts: its tensors.
        dtypes: types that every layout is tried with.
        single: what tensors of one element hold instead, where a draw may have a trivial answer.
        others: further arguments, the same in every case.
    """
    some, both = (fp32,), [MEAN, SUM]
    contiguous, transposed, strided, expanded = ANY_LAYOUT
    even, odd = (contiguous, strided), (transposed, expanded)
    return [
        *pointwise(parts, dtypes, single=single, reduction=NONE, **others),
        *grid("mean", **alike(parts, (37, 53)), reduction=MEAN, dtypes=dtypes, layouts=even, **others),
        *grid("sum", **alike(parts, (37, 53)), reduction=SUM, dtypes=dtypes, layouts=odd, **others),
        *grid("reduced", **alike(parts, (9, 57)), reduction=both, dtypes=(fp64,), **others),
        *grid("mean by default", **alike(parts, (7, 33)), reduction=OMIT, dtypes=dtypes, **others),
        *grid("so few that each counts", **alike(parts, (3, 5)), reduction=SUM, dtypes=dtypes, **others),
        *_mixed(parts, (transposed,), reduction=SUM, **others),
        *grid("reduced, 0-d", **alike(single or parts, ()), reduction=both, dtypes=some, **others),
        *grid("reduced, rank 6", **alike(parts, RANK_6), reduction=MEAN, dtypes=some, layouts=even, **others),
        *grid("the mean of nothing", **alike(parts, (3, 0)), reduction=MEAN, dtypes=some, **others),
        *grid(
            "the sum of nothing", **alike(parts, (0,)), reduction=SUM, dtypes=some, telling=False, **others
        ),
        *grid("many parts to add", **alike(parts, (20_011,)), reduction=both, dtypes=some, **others),
        *grid(
            "many rows of parts",
            **alike(parts, (67, 300)),
            reduction=SUM,
            dtypes=some,
            layouts=even,
            **others,
        ),
        *_large(parts, **others),
    ]


def _large(parts: Parts, **others: Any) -> list[Case]:
    both, tier = [MEAN, SUM], Tier.STANDARD
    return [
        *grid(
            "reduced, 1M elements",
            **alike(parts, (1023, 1025)),
            reduction=both,
            dtypes=(bf16, fp32, fp64),
            layouts=ANY_LAYOUT,
            tier=tier,
            **others,
        ),
        *grid(
            "reduced, halves",
            **alike(parts, LOSSES_OF_HALVES),
            reduction=both,
            dtypes=(fp16,),
            layouts=ANY_LAYOUT,
            tier=tier,
            **others,
        ),
        *grid(
            "reduced, 5M", **alike(parts, (5_000_011,)), reduction=both, dtypes=(fp32,), tier=tier, **others
        ),
    ]
