"""Cases that operators share which bring the value of a one-element tensor to Python."""

from __future__ import annotations

from kgb_core.models.case import Case, Layout
from kgb_core.models.values import Normal
from kgb_core.operators.cases import (
    FLOATING,
    boolean,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    shapes,
    u8,
)


def one_element() -> list[Case]:
    """Tensors of one element, `self`, of every real type, and values that a detour would change."""
    return [
        *grid(self=shapes((), (1,), (1, 1, 1), values=Normal(mean=3.0)), dtypes=(*FLOATING, fp64)),
        *grid(
            "inside other memory", self=normal((1, 1), 5.0), dtypes=(*FLOATING, i64), layouts=[Layout.STRIDED]
        ),
        *grid(
            "whole numbers",
            self=[integers((), 2, 127), integers((1,), 2, 127)],
            dtypes=(i8, i16, i32, i64, u8),
        ),
        *grid("negative", self=integers((), -128, -1), dtypes=(i8, i16, i32, i64)),
        *grid(
            "true and false",
            self=[fill((), True), fill((1,), False), fill((1, 1), True)],
            dtypes=(boolean,),
            telling=False,
        ),
        case("beyond what a double holds", self=integers((), 2**62, 2**63 - 1, dtype=i64)),
        case("as far below zero", self=integers((1,), -(2**63), -(2**62), dtype=i64)),
        case("beyond int32", self=integers((), 2**33, 2**40, dtype=i64)),
        *grid("NaN and Inf", self=[fill((), nan), fill((), inf), fill((1,), -inf)], dtypes=(*FLOATING, fp64)),
        *grid("denormals", self=[fill((), 1e-40), fill((), -3e-45)], dtypes=(fp32,)),
        case("a denormal of half", self=fill((), 6e-8, dtype=fp16)),
        *grid(
            "only float64 holds it", self=[fill((), 0.1), fill((), 1e300), fill((), -5e-324)], dtypes=(fp64,)
        ),
        case("the largest half", self=fill((1,), 65504.0, dtype=fp16)),
        case("rank 6", self=literally((1, 1, 1, 1, 1, 1), -17.5, dtype=fp32)),
    ]


def one_element_of_models() -> list[Case]:
    """Values that programs around models read, for perf."""
    return [
        case("GPT-2 training loss of a step", self=normal((), 3.0, 0.3, dtype=fp32)),
        case("Llama-3-8B next token, vocabulary 128256", self=integers((1, 1), 0, 128_256, dtype=i64)),
        case("BERT-large gradient norm, found finite", self=integers((1,), dtype=boolean)),
    ]
