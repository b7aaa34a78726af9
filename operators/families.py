"""Cases that whole families of operators share: what every element-wise operator must get right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Normal, Values
from kgb_core.operators.cases import ANY_LAYOUT, SPECIALS, case, fp32, grid, literally, shapes, tensor

VIEWS = (Layout.TRANSPOSED, Layout.STRIDED, Layout.EXPANDED)
"""Every layout that is not simply contiguous."""
RANK_6 = (2, 3, 1, 5, 2, 3)


def unary(dtypes: Sequence[DType], values: Values | None = None) -> list[Case]:
    """Shapes and layouts for an operator of one tensor, `self`.

    Args:
        dtypes: types that every layout is tried with; the odd shapes are tried in float32.
        values: what its elements are drawn from; standard normal by default.
    """
    values = values or Normal()
    last = Layout.CHANNELS_LAST
    odd = shapes((3, 5, 7), (1021,), RANK_6, values=values)
    return [
        *grid(self=tensor((37, 53), values), dtypes=dtypes, layouts=ANY_LAYOUT),
        *grid("0-d", self=tensor((), values, fp32)),
        *grid("one element", self=tensor((1, 1), values, fp32)),
        *grid("empty", self=[tensor((0,), values, fp32), tensor((3, 0, 5), values, fp32)]),
        *grid("odd sizes", self=odd, dtypes=(fp32,), layouts=(Layout.CONTIGUOUS, Layout.STRIDED)),
        *grid("channels last", self=tensor((2, 3, 5, 7), values, layout=last), dtypes=dtypes[:1]),
        *grid("million", self=tensor((1_000_003,), values), dtypes=dtypes, tier=Tier.STANDARD),
        *grid("odd", self=tensor((1023, 1025), values), dtypes=dtypes, layouts=VIEWS, tier=Tier.STANDARD),
    ]


@dataclass(frozen=True)
class Operands:
    """The two operands of a binary operator: what they hold, and what its parameters are called."""

    left: Values = Normal()
    right: Values = Normal()
    first: str = "self"
    second: str = "other"

    def of(
        self, left: Sequence[int], right: Sequence[int], layouts: tuple[Layout, Layout] | None = None
    ) -> dict[str, Any]:
        """Templates of these shapes, as keyword arguments of `grid`."""
        one, two = layouts or (Layout.CONTIGUOUS, Layout.CONTIGUOUS)
        return {
            self.first: tensor(left, self.left, layout=one),
            self.second: tensor(right, self.right, layout=two),
        }

    def typed(self, left: DType, right: DType, shape: Sequence[int], other: Sequence[int]) -> dict[str, Any]:
        """Tensors of two types, as keyword arguments of `case`."""
        return {
            self.first: tensor(shape, self.left, left),
            self.second: tensor(other, self.right, right),
        }


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
        *grid("million", **operands.of((1_000_003,), (1_000_003,)), dtypes=dtypes, tier=Tier.STANDARD),
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
