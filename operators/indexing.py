"""Cases that operators on lists of index tensors share: every way to name elements."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from kgb_core.models.case import Layout, TensorSpec
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import (
    i32,
    i64,
    integers,
    literally,
    permutation,
)

Indices = list[TensorSpec | None]
"""One index tensor for each leading dimension, or `None` for all of it."""


@dataclass(frozen=True)
class Naming:
    """A way to name elements, with what it makes of a shape.

    Attributes:
        title: what a tester would call it.
        shape: of the indexed tensor.
        indices: as the operator gets them. No element is named twice, so that they serve to write as well.
        result: shape of what they name.
    """

    title: str
    shape: tuple[int, ...]
    indices: Indices
    result: tuple[int, ...]


def numbers(size: int, count: int, *, dtype: DType = i64) -> TensorSpec:
    """Different numbers below `size`, some of them counted from the end, scattered by a fixed stride.

    Args:
        size: of the dimension; has no divisor in common with 7.
        count: how many, at most `size`.
        dtype: of the index tensor.
    """
    scattered = [i * 7 % size for i in range(count)]
    return literally((count,), *(n - size if n % 3 == 1 else n for n in scattered), dtype=dtype)


def distinct(shape: tuple[int, ...], dim: int, size: int, *, dtype: DType = i64) -> TensorSpec:
    """Numbers below `size` that differ along `dim`, and from one line to the next.

    Args:
        shape: of the index tensor, in `dim` at most `size`.
        dim: counted from 0.
        size: has no divisor in common with 7.
        dtype: of the index tensor.
    """
    places = itertools.product(*map(range, shape))
    values = ((7 * place[dim] + 3 * (sum(place) - place[dim])) % size for place in places)
    return literally(shape, *values, dtype=dtype)


def shaped(spec: TensorSpec, *shape: int, layout: Layout = Layout.CONTIGUOUS) -> TensorSpec:
    """The same numbers in another shape or layout."""
    return spec.model_copy(update={"shape": shape, "layout": layout})


WAYS = (
    Naming("the first dimension", (19, 33), [numbers(19, 11)], (11, 33)),
    Naming("the last dimension", (19, 33), [None, numbers(33, 20)], (19, 20)),
    Naming("a matrix of numbers", (16, 23), [shaped(numbers(16, 12), 3, 4)], (3, 4, 23)),
    Naming("in the middle", (5, 17, 6), [None, numbers(17, 9), None], (5, 9, 6)),
    Naming("pairs", (16, 23), [numbers(16, 12), numbers(23, 12)], (12,)),
    Naming("a row for each column", (9, 13), [shaped(numbers(9, 5), 5, 1), numbers(13, 8)], (5, 8)),
    Naming(
        "neighbours behind",
        (3, 9, 13),
        [None, shaped(numbers(9, 6), 2, 3), shaped(numbers(13, 6), 2, 3)],
        (3, 2, 3),
    ),
    Naming("apart: their shape comes first", (9, 5, 13), [numbers(9, 7), None, numbers(13, 7)], (7, 5)),
    Naming(
        "apart, and broadcast",
        (9, 2, 13, 3),
        [shaped(numbers(9, 4), 4, 1), None, numbers(13, 5)],
        (4, 5, 2, 3),
    ),
    Naming("three of three", (8, 9, 11), [numbers(8, 6), numbers(9, 6), numbers(11, 6)], (6,)),
    Naming("int32", (19, 33), [numbers(19, 11, dtype=i32), numbers(33, 11, dtype=i32)], (11,)),
    Naming("0-d number", (9, 13), [literally((), -2, dtype=i64)], (13,)),
    Naming("0-d number beside a vector", (9, 13), [literally((), 4, dtype=i64), numbers(13, 6)], (6,)),
    Naming("a vector", (37,), [numbers(37, 20)], (20,)),
)
"""Ways that every operator on index tensors is tried with."""

IN_ANY_LAYOUT = tuple(
    Naming(
        f"indices {layout.value}",
        (9, 13, 4),
        [shaped(numbers(9, 6), 2, 3, layout=layout), shaped(numbers(13, 6), 2, 3, layout=layout)],
        (2, 3, 4),
    )
    for layout in (Layout.TRANSPOSED, Layout.STRIDED)
)
"""Index tensors that don't lie in one piece."""

RANK_6 = (
    Naming("rank 6", (2, 3, 2, 3, 2, 5), [None, numbers(3, 2), None, numbers(3, 2)], (2, 2, 2, 2, 5)),
    Naming(
        "rank 6, the end",
        (2, 3, 2, 3, 2, 5),
        [None, None, None, None, None, numbers(5, 4)],
        (2, 3, 2, 3, 2, 4),
    ),
)
"""Many dimensions, of a tensor whose dimensions may not merge."""

NOTHING = (
    Naming("no indices", (4, 5), [integers((0,), 0, 4, dtype=i64)], (0, 5)),
    Naming("nothing elsewhere", (4, 0), [numbers(4, 3)], (3, 0)),
)
"""Results without elements."""


def rearranged(size: int, *rest: int) -> Naming:
    """Every element of the first dimension once, in random order."""
    return Naming("a permutation", (size, *rest), [permutation((size,), dtype=i64)], (size, *rest))
