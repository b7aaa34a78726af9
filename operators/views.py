"""Cases that operators share which look at memory another way: all that must hold for any one look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgb_core.models.case import Case, Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    boolean,
    c64,
    c128,
    case,
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
from kgb_operators.families import RANK_6

WHOLE = (i8, i16, i32, i64, u8, boolean)
"""Types of whole numbers."""


def looks(shape: Sequence[int], **arguments: Any) -> list[Case]:
    """The floating types in every layout, every other type, and special values.

    Args:
        shape: of `self`.
        arguments: what the operator is told, as in `grid`.
    """
    return [
        *grid(self=normal(shape), dtypes=FLOATING, layouts=ANY_LAYOUT, **arguments),
        *grid("whole numbers", self=integers(shape, 0, 120), dtypes=WHOLE, **arguments),
        *grid("float64, complex", self=normal(shape), dtypes=(fp64, c64), **arguments),
        *grid("NaN, Inf, denormals", self=sprinkle(shape), dtypes=(fp32,), **arguments),
    ]


def large_looks(shape: Sequence[int], **arguments: Any) -> list[Case]:
    """A tensor that only a chip is quick with, in every layout."""
    return grid(
        "large",
        self=normal(shape),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
        **arguments,
    )


def as_it_is() -> list[Case]:
    """Tensors that come back as they are, for operators that only resolve what is put off."""
    return [
        *looks((12, 17)),
        *grid("0-d, one element", self=shapes((), (1,), (1, 1)), dtypes=(fp16, fp32, i64, c64)),
        *grid("complex", self=shapes((37,), (3, 5, 7), RANK_6), dtypes=(c64, c128), layouts=ANY_LAYOUT),
        *grid("NaN, Inf", self=sprinkle((9, 31)), dtypes=(fp16, fp64)),
        *grid("images", self=normal((2, 3, 5, 7), layout=Layout.CHANNELS_LAST), dtypes=(fp16, c64)),
        *grid("empty", self=shapes((0,), (3, 0, 5)), dtypes=(fp32, c64)),
        *large_looks((1023, 1025)),
    ]


def as_it_is_perf() -> list[Case]:
    """Tensors that models hand to such operators."""
    return [
        case("FNet-base hidden states after the Fourier transform", self=normal((64, 512, 768), dtype=c64)),
        case("Llama-3 rotary factors, 8192 tokens", self=normal((8192, 64), dtype=c64)),
        case("Llama-3-8B hidden states, 8192 tokens", self=normal((8192, 4096), dtype=bf16)),
    ]
