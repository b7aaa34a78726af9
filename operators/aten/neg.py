"""aten::neg."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
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
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    tensor,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import unary

WIDE = Integers(low=-100, high=101)


@operator("aten::neg", numeric=Exact())
def neg(self: torch.Tensor) -> torch.Tensor:
    """Minus every element, in its own type; integers wrap."""
    return torch.neg(self)


neg.check(
    unary(FLOATING),
    grid("type", self=tensor((9, 57), WIDE), dtypes=(fp64, i8, i16, i32, i64, u8), layouts=ANY_LAYOUT),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("complex", self=normal((9, 57)), dtypes=(c64,), layouts=ANY_LAYOUT),
    grid("complex", self=[normal(()), normal((3, 5, 7)), normal((0, 3))], dtypes=(c64,)),
    case(
        "smallest of each integer type, which has no opposite",
        self=literally((4,), -128, 127, 1, -5, dtype=i8),
    ),
    case("smallest int32", self=literally((4,), -(2**31), 2**31 - 1, 7, -7, dtype=i32)),
    case("beyond what float64 holds", self=integers((9, 57), -(2**62), 2**62, dtype=i64)),
    case("limits", self=literally((8,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, 1e-40, dtype=fp32)),
)
neg.perf(
    case("Llama-3-8B rotary half of the queries, 8192 tokens", self=normal((8192, 32, 64), dtype=bf16)),
    case("Llama-3-8B negated log-probabilities, 512 tokens", self=normal((512, 128_256), dtype=fp32)),
    case("GPT-2 cross entropy over the vocabulary, 1024 tokens", self=normal((1024, 50_257), dtype=fp16)),
    case(
        "gradient reversal of BERT-large features, 32 sequences of 512",
        self=normal((32, 512, 1024), dtype=fp16),
    ),
    case(
        "sparse matrix indices of ogbn-products, shifted",
        self=integers((2, 61_859_140), 0, 2_449_029, dtype=i32),
    ),
)
