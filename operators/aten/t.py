"""aten::t."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    boolean,
    c64,
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
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator


@operator("aten::t", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def t(self: torch.Tensor) -> torch.Tensor:
    """The transpose of a matrix as a view of the same memory; vectors and scalars as they are."""
    return torch.t(self)


t.check(
    grid(self=shapes((17, 33), (16, 16)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("one row, one column", self=shapes((1, 9), (9, 1)), dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid(
        "every element type",
        self=integers((6, 11), 0, 120),
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    # Here the answer is the input, and a candidate that returns it is right.
    grid("1-d", self=normal((7,)), dtypes=(fp32,), layouts=(Layout.CONTIGUOUS, Layout.STRIDED)),
    grid("0-d and one element", self=shapes((), (1,), (1, 1)), dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (5, 0), (0,)), dtypes=(fp32,)),
    case("NaN, Inf, denormals", self=sprinkle((9, 31), dtype=fp32)),
    grid("1 M elements", self=normal((1023, 1025)), dtypes=FLOATING, layouts=ANY_LAYOUT, tier=Tier.STANDARD),
)
t.perf(
    case("Llama-3-8B down_proj weight", self=normal((4096, 14_336), dtype=bf16)),
    case("GPT-2 tied output embedding", self=normal((50_257, 768), dtype=fp32)),
    case("BERT-large feed-forward weight", self=normal((4096, 1024), dtype=fp16)),
)
