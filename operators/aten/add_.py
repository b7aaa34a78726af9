"""aten::add_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
    boolean,
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
    u8,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import RANK_6, VIEWS, Operands, promoted, same_type

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=1, high=101))


# The bound is that of aten::add, which says where it comes from.
@operator("aten::add_", numeric=Elementwise(ulps=2.0, input_ulps=3.0), mutates=("self",))
def add_(self: torch.Tensor, other: torch.Tensor | float, *, alpha: float = 1) -> torch.Tensor:
    """self += alpha * other, broadcast to self, computed in the promoted type; returns self."""
    return self.add_(other, alpha=alpha)


add_.check(
    grid(**REALS.of((37, 53), (37, 53)), dtypes=FLOATING, layouts=DENSE_LAYOUT),
    [
        made
        for view in VIEWS
        for own in DENSE_LAYOUT
        for made in grid("mixed layouts", **REALS.of((19, 31), (19, 31), (own, view)), dtypes=(fp32,))
    ],
    grid(
        "broadcast", self=normal((5, 7, 11)), other=shapes((), (1,), (11,), (7, 1), (5, 1, 1)), dtypes=(fp32,)
    ),
    grid("broadcast", self=normal((5, 129)), other=normal((129,)), dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid("rank 6", **REALS.of(RANK_6, (3, 1, 5, 1, 3)), dtypes=(fp32,)),
    grid(
        "rank 6, every second element",
        **REALS.of(RANK_6, RANK_6, (Layout.STRIDED, Layout.TRANSPOSED)),
        dtypes=(fp16,),
    ),
    grid("0-d", **REALS.of((), ()), dtypes=(fp32,)),
    grid("one element", **REALS.of((1,), (1,)), dtypes=(fp32,)),
    grid("empty", self=normal((0, 3)), other=shapes((3,), (1, 1)), dtypes=(fp32,)),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i16, i32, i64, u8, boolean)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (fp32, i64), (i64, i8), (i32, i64)),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[0.001, -0.999, 100.001, 2], dtypes=(fp32, fp64)),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[-0.5, 2], dtypes=HALF),
    case("promotion", **WHOLE.typed(fp32, boolean, (9, 57), (9, 57))),
    grid("alpha", **WHOLE.of((9, 57), (57,)), alpha=[-3, 7], dtypes=(i8, i64)),
    grid(
        "number", self=normal((9, 57)), other=[-0.999, 3, True], alpha=[OMIT, -111.999], dtypes=(fp32, fp64)
    ),
    grid("number", self=normal((9, 57)), other=[0.625, -96], alpha=[OMIT, -2], dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7], dtypes=(u8, i64)),
)
add_.perf(
    grid(
        "Llama-3-8B residual connection, 8192 tokens",
        self=normal((8192, 4096)),
        other=normal((8192, 4096)),
        dtypes=HALF,
    ),
    weight=3,
)
add_.perf(
    case(
        "GPT-2 token embedding, AdamW step",
        self=normal((50257, 768), dtype=fp32),
        other=normal((50257, 768), dtype=fp32),
        alpha=-0.0003,
    ),
    case(
        "BERT-large feed-forward bias, 32 sequences of 512",
        self=normal((16384, 4096), dtype=fp16),
        other=normal((4096,), dtype=fp16),
    ),
    case(
        "Llama-3-8B gradient of a down projection, bf16 summed up in fp32",
        self=normal((4096, 14336), dtype=fp32),
        other=normal((4096, 14336), dtype=bf16),
    ),
)
