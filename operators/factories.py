"""Cases that operators share which make or fill tensors: sizes, types, options and layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgb_core.models.case import Case, DeviceArgument, Layout, MemoryFormat, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    OMIT,
    boolean,
    c64,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    normal,
    shapes,
    sprinkle,
    u8,
)
from kgb_operators.families import RANK_6, SPREAD, VIEWS

DEVICE = DeviceArgument()
"""Named in every case of an operator without tensors: ATen would make its result on the host."""
NUMBERS = (*FLOATING, fp64, i8, i16, i32, i64, u8, c64)
"""Every type but bool."""
FORMATS = [OMIT, None, MemoryFormat.PRESERVE, MemoryFormat.CONTIGUOUS]


def sized(bool_tells: bool, **arguments: Any) -> list[Case]:
    """Sizes, types and options for an operator that takes a `size`.

    Args:
        bool_tells: False where True everywhere is right, which noise and means come to as well.
        arguments: what stands in every case: a device, or the tensor that lends device and type.
    """
    options: dict[str, Any] = {"layout": None, "pin_memory": [None, False]}
    return [
        *grid(**arguments, size=[[7, 129], [33]], dtype=list(NUMBERS)),
        *grid("bool", **arguments, size=[[7, 129]], dtype=boolean, telling=bool_tells),
        *grid("dtype left out", **arguments, size=[[5, 13]], dtype=[None, OMIT]),
        *grid("every option given as its default", **arguments, size=[[6, 7]], dtype=[None, fp16], **options),
        *grid("0-d, one element", **arguments, size=[[], [1], [1, 1, 1]], dtype=[fp16, fp32, fp64]),
        *grid("empty", **arguments, size=[[0], [0, 5], [5, 0, 2]], dtype=[fp32, i64]),
        *grid("ranks", **arguments, size=[[2, 3, 5, 7], list(RANK_6)], dtype=[fp32, i16]),
        *grid("a size that no block divides", **arguments, size=[[16_411]], dtype=[fp32, i8]),
        *grid(
            "a million, as published",
            **arguments,
            size=[[1023, 1025], [20, 320, 15], [16, 7, 57, 32, 29]],
            dtype=[i64, *FLOATING, fp64],
            tier=Tier.STANDARD,
        ),
    ]


def alike(bool_tells: bool) -> list[Case]:
    """Shapes, layouts, types and formats for an operator that makes a tensor like `self`.

    Args:
        bool_tells: as in `sized`.
    """
    images = normal((2, 3, 5, 7))
    turned = (Layout.CONTIGUOUS, Layout.CHANNELS_LAST, Layout.STRIDED)
    formats = [*FORMATS[2:], MemoryFormat.CHANNELS_LAST]
    return [
        *grid(self=normal((37, 53)), dtypes=FLOATING, layouts=ANY_LAYOUT),
        *grid("any type", self=integers((9, 57), 2, 120), dtypes=(fp64, i8, i16, i32, i64, u8, c64)),
        *grid("bool", self=integers((9, 57)), dtypes=(boolean,), telling=bool_tells),
        *grid("another type", self=normal((9, 57)), dtype=[*NUMBERS, None], dtypes=(fp32,)),
        *grid("bool asked for", self=normal((9, 57)), dtype=boolean, dtypes=(fp32,), telling=bool_tells),
        *grid("odd sizes", self=shapes((3, 5, 7), (1021,), RANK_6), dtypes=(fp32,), layouts=VIEWS),
        *grid(
            "order kept or not", self=normal((7, 33)), memory_format=FORMATS, dtypes=(fp32,), layouts=VIEWS
        ),
        *grid("images", self=images, memory_format=formats, dtypes=(fp16, fp32), layouts=turned),
        *grid("of NaN and Inf", self=sprinkle((9, 31)), dtypes=(fp16, fp32)),
        *grid("0-d, one element", self=shapes((), (1,), (1, 1)), dtypes=(fp16, fp32, fp64)),
        *grid("empty", self=shapes((0,), (3, 0, 5)), dtypes=(fp32, i64)),
        *grid("on the device where it is", self=normal((9, 14)), device=[DEVICE, None], dtypes=(fp32,)),
        *grid(
            "every option given as its default",
            self=normal((6, 7)),
            layout=None,
            pin_memory=[None, False],
            dtypes=(fp32,),
        ),
        *grid("large", self=normal((1023, 1025)), dtypes=FLOATING, layouts=ANY_LAYOUT, tier=Tier.STANDARD),
    ]


def in_place(dtypes: Sequence[DType] = FLOATING, **arguments: Any) -> list[Case]:
    """Shapes and layouts for an operator that overwrites `self`, what lies between its elements excepted.

    Args:
        dtypes: types that every layout is tried with; the rest is tried in float32.
        arguments: what the operator is told, as in `grid`.
    """
    return [
        *grid(self=normal((37, 53)), dtypes=dtypes, layouts=DENSE_LAYOUT, **arguments),
        *grid(
            "odd sizes",
            self=shapes((3, 5, 7), (1021,), RANK_6),
            dtypes=(fp32,),
            layouts=DENSE_LAYOUT,
            **arguments,
        ),
        *grid(
            "images",
            self=normal((2, 3, 5, 7)),
            dtypes=(fp16, fp32),
            layouts=(Layout.CHANNELS_LAST, Layout.TRANSPOSED),
            **arguments,
        ),
        *grid("short rows", self=shapes((257, 3)), dtypes=(fp32,), layouts=DENSE_LAYOUT, **arguments),
        *grid("several programs", self=normal((67, 97)), dtypes=(fp32,), layouts=SPREAD, **arguments),
        *grid("of NaN and Inf", self=sprinkle((9, 31)), dtypes=(fp16, fp32), **arguments),
        *grid("one element", self=normal((1, 1), 9.0), dtypes=(fp16, fp32), **arguments),
        *grid("0-d", self=normal((), 9.0), dtypes=(fp32, fp64), **arguments),
        *grid("empty", self=shapes((0,), (3, 0, 5)), dtypes=(fp32, i64), **arguments),
        *grid("a million", self=normal((1_000_003,)), dtypes=dtypes, tier=Tier.STANDARD, **arguments),
        *grid(
            "large",
            self=normal((1023, 1025)),
            dtypes=dtypes,
            layouts=DENSE_LAYOUT,
            tier=Tier.STANDARD,
            **arguments,
        ),
    ]
