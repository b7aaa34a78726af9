"""Cases that whole families of operators share: what every element-wise operator must get right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Integers, Normal, Sprinkle, Uniform, Values
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    SPECIALS,
    boolean,
    case,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    literally,
    shapes,
    tensor,
    u8,
)

VIEWS = (Layout.TRANSPOSED, Layout.STRIDED, Layout.EXPANDED)
"""Every layout that is not simply contiguous."""
SPREAD = (Layout.CONTIGUOUS, Layout.STRIDED)
"""With some thousand elements: one long row of many programs, and many rows of many."""
RANK_6 = (2, 3, 1, 5, 2, 3)
FAR = "an offset beyond 2^31"
FAR_SHAPE = (5, 37)
"""Of the first tensor type only: in float16 its storage spans 5 GiB, of which 370 bytes are touched."""
WHOLE_NUMBERS = (i8, i16, i32, i64, u8)


def unary(
    dtypes: Sequence[DType], values: Values | None = None, single: Values | None = None, **before: Any
) -> list[Case]:
    """Shapes and layouts for an operator of one tensor, `self`.

    Args:
        dtypes: types that every layout is tried with; the odd shapes are tried in float32.
        values: what its elements are drawn from; standard normal by default.
        single: the same for tensors of one element, where a draw may have a trivial answer.
        before: arguments that the operator takes before `self`, the same in every case.
    """
    values = values or Normal()
    single = single or values
    last = Layout.CHANNELS_LAST
    odd = shapes((3, 5, 7), (1021,), RANK_6, values=values)
    return [
        *grid(**before, self=tensor((37, 53), values), dtypes=dtypes, layouts=ANY_LAYOUT),
        *grid("0-d", **before, self=tensor((), single, fp32)),
        *grid("one element", **before, self=tensor((1, 1), single, fp32)),
        *grid("empty", **before, self=[tensor((0,), values, fp32), tensor((3, 0, 5), values, fp32)]),
        *grid("odd sizes", **before, self=odd, dtypes=(fp32,), layouts=(Layout.CONTIGUOUS, Layout.STRIDED)),
        *grid("channels last", **before, self=tensor((2, 3, 5, 7), values, layout=last), dtypes=dtypes[:1]),
        *grid("several programs", **before, self=tensor((67, 97), values), dtypes=(fp32,), layouts=SPREAD),
        *grid("million", **before, self=tensor((1_000_003,), values), dtypes=dtypes, tier=Tier.STANDARD),
        *grid(
            FAR,
            **before,
            self=tensor(FAR_SHAPE, values, layout=Layout.FAR),
            dtypes=dtypes[:1],
            tier=Tier.STANDARD,
        ),
        *grid(
            "odd",
            **before,
            self=tensor((1023, 1025), values),
            dtypes=dtypes,
            layouts=VIEWS,
            tier=Tier.STANDARD,
        ),
    ]


def real_function(values: Normal | Uniform, whole: Integers | None) -> list[Case]:
    """What every function of a real number is tried with, besides the places that are its own.

    Args:
        values: where it is defined and neither flat nor about to overflow.
        whole: whole numbers that it maps to floats; `None` where it refuses them.
    """
    special = tensor((9, 57), Sprinkle(specials=SPECIALS, base=values))
    integers = [tensor((9, 57), whole)] if whole else []
    return [
        *unary(FLOATING, values),
        *grid("type", self=tensor((9, 57), values), dtypes=(fp64,), layouts=ANY_LAYOUT[1:3]),
        *grid("special values", self=special, dtypes=(*FLOATING, fp64)),
        *grid("integers", self=integers, dtypes=(*WHOLE_NUMBERS, boolean)),
    ]


@dataclass(frozen=True)
class Operands:
    """The two operands of a binary operator: what they hold, and what its parameters are called."""

    left: Values = Normal()
    right: Values = Normal()
    first: str = "self"
    second: str = "other"
    single: Values | None = None
    """What tensors of one element hold instead, where a draw may have a trivial answer."""

    def of(
        self, left: Sequence[int], right: Sequence[int], layouts: tuple[Layout, Layout] | None = None
    ) -> dict[str, Any]:
        """Templates of these shapes, as keyword arguments of `grid`."""
        one, two = layouts or (Layout.CONTIGUOUS, Layout.CONTIGUOUS)
        return {
            self.first: tensor(left, self._values(self.left, left), layout=one),
            self.second: tensor(right, self._values(self.right, right), layout=two),
        }

    def typed(self, left: DType, right: DType, shape: Sequence[int], other: Sequence[int]) -> dict[str, Any]:
        """Tensors of two types, as keyword arguments of `case`."""
        return {
            self.first: tensor(shape, self._values(self.left, shape), left),
            self.second: tensor(other, self._values(self.right, other), right),
        }

    def _values(self, values: Values, shape: Sequence[int]) -> Values:
        return self.single if self.single and math.prod(shape) == 1 else values


def binary(operands: Operands, dtypes: Sequence[DType], *, one_tells: bool = True) -> list[Case]:
    """Shapes, layouts and broadcasting for an operator of two tensors.

    Args:
        operands: names and values of the two.
        dtypes: types that every layout is tried with; the rest is tried in float32.
        one_tells: False where a single answer is always trivial, as True and False are.
    """
    contiguous, some = Layout.CONTIGUOUS, (fp32,)
    mixed = [pair for view in VIEWS for pair in ((contiguous, view), (view, contiguous))]
    return [
        *grid(**operands.of((37, 53), (37, 53)), dtypes=dtypes, layouts=ANY_LAYOUT),
        *_each(grid("mixed layouts", **operands.of((19, 31), (19, 31), pair), dtypes=some) for pair in mixed),
        *_each(grid("broadcast", **operands.of(*pair), dtypes=some) for pair in _BROADCAST),
        *grid("0-d", **operands.of((), ()), dtypes=some, telling=one_tells),
        *grid("rank 6", **operands.of(RANK_6, (3, 4, 1, 2, 3)), dtypes=some),
        *_each(grid("empty", **operands.of(*pair), dtypes=some) for pair in (((0,), (1,)), ((3, 0), (3, 1)))),
        *grid("several programs", **operands.of((67, 97), (67, 97)), dtypes=some, layouts=SPREAD),
        *grid("million", **operands.of((1_000_003,), (1_000_003,)), dtypes=dtypes, tier=Tier.STANDARD),
        *grid(
            FAR,
            **operands.of(FAR_SHAPE, FAR_SHAPE, (Layout.FAR, contiguous)),
            dtypes=dtypes[:1],
            tier=Tier.STANDARD,
        ),
        *grid("odd", **operands.of((1023, 1025), (1025,)), dtypes=dtypes, layouts=VIEWS, tier=Tier.STANDARD),
    ]


_BROADCAST: tuple[tuple[Sequence[int], Sequence[int]], ...] = (
    ((5, 1), (1, 7)),
    ((3, 1, 5), (4, 1)),
    ((129,), (3, 129)),
    ((2, 3, 257), (3, 1)),
    ((), (4, 5)),
    ((4, 5), ()),
    ((1,), (37,)),
)


def same_type(operands: Operands, dtypes: Sequence[DType]) -> list[Case]:
    """One case for each further type that the operator has."""
    return grid("type", **operands.of((9, 57), (9, 57)), dtypes=dtypes)


def promoted(operands: Operands, *pairs: tuple[DType, DType]) -> list[Case]:
    """Operands of different types: both of rank 2, then the second of rank 0, which then weighs less."""
    found: list[Case] = []
    for left, right in pairs:
        found.append(case("promotion", **operands.typed(left, right, (9, 57), (9, 57))))
        found.append(case("promotion, 0-d", **operands.typed(left, right, (9, 57), ())))
    return found


def special_pairs(
    dtypes: Sequence[DType], specials: Sequence[float] = SPECIALS, operands: Operands | None = None
) -> list[Case]:
    """Every special value met by every other."""
    names = operands or Operands()
    count = len(specials)
    pair: dict[str, Any] = {
        names.first: literally((count, 1), *specials),
        names.second: literally((1, count), *specials),
    }
    return grid("every special value with every other", **pair, dtypes=dtypes)


def _each(groups: Iterable[list[Case]]) -> list[Case]:
    return [made for group in groups for made in group]
