"""aten::argmax."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
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
    permutation,
    shapes,
    sprinkle,
    tensor,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


# Ties are tested: torch.argmax's documentation says that the first maximal value's index is returned.
@operator("aten::argmax", numeric=Exact())
def argmax(self: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> torch.Tensor:
    """The index of the maximum of `self` along `dim`, or in the flattened tensor: int64, the first.

    NaN counts as larger than anything. bool has no argmax. A dimension of size 0 can only be reduced where
    the result is empty anyway.
    """
    return torch.argmax(self, dim, keepdim)


argmax.check(
    grid("everything", self=shapes((7, 129), (2, 3, 5, 7)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("down the columns", self=shapes((7, 129)), dim=0, dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid("along the rows", self=shapes((7, 129)), dim=-1, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("each of four", self=shapes((3, 4, 5, 6)), dim=[0, 1, -2, 3], keepdim=[OMIT, True], dtypes=(fp32,)),
    grid("keepdim", self=shapes((2, 3, 5)), dim=[None], keepdim=[False, True], dtypes=(fp32,)),
    grid("float64", self=shapes((5, 33)), dim=[0, 1, None], dtypes=(fp64,)),
    grid(
        "rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[None, 0, 3, -1], dtypes=(fp32,), layouts=DENSE_LAYOUT
    ),
    grid("0-d", self=normal((), 3), dim=[OMIT, 0], keepdim=[OMIT, True], dtypes=(fp32,), telling=False),
    grid("empty result", self=shapes((0, 5), (2, 0, 3)), dim=[-1], keepdim=[OMIT, True], dtypes=(fp32,)),
    grid(
        "whole numbers",
        self=shapes((7, 33), values=Integers(low=0, high=120)),
        dim=[OMIT, 0, 1],
        dtypes=(u8, i8, i16),
    ),
    grid("no ties", self=permutation((9, 65)), dim=[OMIT, 0, 1], dtypes=(i32, i64)),
    case("int64 beyond float64's precision", self=integers((5, 33), 2**60, 2**60 + 999, dtype=i64), dim=1),
    case("negative", self=integers((5, 33), -(10**9), -(10**6), dtype=i32), dim=1),
    case("the lowest there is", self=literally((2, 3), -128, -128, -127, -128, -126, -128, dtype=i8), dim=1),
    case("ties: the first counts", self=integers((9, 65), -3, 4, dtype=fp32), dim=0),
    case("ties along the rows", self=integers((9, 65), -3, 4, dtype=fp16), dim=1),
    case(
        "ties in all, where memory's order is another",
        self=tensor((9, 129), Integers(low=0, high=60), i64, Layout.TRANSPOSED),
    ),
    case(
        "both zeros are equal",
        self=literally((2, 4), -1, -0.0, 0.0, -0.0, -1, -2, 0.0, -0.0, dtype=fp32),
        dim=1,
    ),
    case("NaN in some rows", self=sprinkle((32, 33), nan, dtype=fp32, share=0.05), dim=1),
    case("NaN in some columns", self=sprinkle((33, 32), nan, inf, dtype=fp16, share=0.05), dim=0),
    case("one NaN among all", self=sprinkle((17, 31), nan, dtype=fp32, share=0.0001)),
    case("NaN beside +Inf", self=literally((2, 4), inf, 3, nan, nan, 5, nan, inf, 5, dtype=fp32), dim=1),
    case(
        "nothing but -Inf after the first",
        self=literally((2, 3), -inf, 2, -inf, -inf, -inf, 1, dtype=fp16),
        dim=1,
    ),
    case("+Inf in some rows", self=sprinkle((32, 33), inf, -inf, dtype=fp32, share=0.05), dim=-1),
    case("denormals", self=uniform((4, 33), 1e-40, 9e-40, dtype=fp32), dim=1),
    case("an odd length in two stages", self=normal((20_011,), dtype=fp32)),
    case("ties in two stages", self=integers((20_011,), 0, 300, dtype=i32)),
    case("NaN in the second stage", self=sprinkle((20_011,), nan, dtype=fp32, share=0.0002)),
    grid("1M elements", self=normal((1023, 1025)), dim=[None, 0, 1], dtypes=FLOATING, tier=Tier.STANDARD),
    grid(
        "three dimensions",
        self=normal((200, 2560, 3)),
        dim=[0, 1, 2, None],
        dtypes=(fp32, i32),
        tier=Tier.STANDARD,
    ),
    grid("5M elements", self=normal((5_000_011,)), dtypes=(fp32, i64), tier=Tier.STANDARD),
)
argmax.perf(
    grid("Llama-3-8B greedy decoding, batch 256", self=normal((256, 128256)), dim=-1, dtypes=HALF),
    weight=3,
)
argmax.perf(
    case("GPT-2 greedy decoding, 1024 tokens", self=normal((1024, 50257), dtype=fp32), dim=-1),
    case("DeepLabV3 class map, 21 x 520 x 520, batch 16", self=normal((16, 21, 520, 520), dtype=fp32), dim=1),
    case("BERT-base span start, 65536 x 384 tokens", self=normal((65536, 384), dtype=fp16), dim=-1),
)
