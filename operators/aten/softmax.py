"""aten::softmax."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers
from kgb_core.operators.binding import Bound
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
    i32,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _columns(call: Bound) -> int:
    return int(call["self"].shape[call["dim"]]) if call["self"].dim() else 1


@operator(
    "aten::softmax",
    # Numerator and denominator each come from a hardware exp2 (2 ulps in CUDA's and HIP's tables) and are
    # divided with another 1 to 2; the argument of exp is rounded twice, which input_ulps covers.
    numeric=Reduction(ulps=4.0, input_ulps=2.0, terms=_columns, normalized=True),
)
def softmax(self: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """exp(self) along `dim` divided by its sum; cast to `dtype` first where that is given.

    The result is floating: an input of whole numbers needs a `dtype`. A row with NaN or +inf in it, and one
    of nothing but -inf, is all NaN.
    """
    return torch.softmax(self, dim, dtype)


_MASKED_ROW = [-inf] * 33

softmax.check(
    grid(self=shapes((7, 129)), dim=[0, -1], dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid(self=shapes((2, 3, 5, 7)), dim=[1, -1], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("float64", self=shapes((5, 33), (3, 4, 5)), dim=[-2, -1], dtypes=(fp64,), layouts=DENSE_LAYOUT),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[0, 3, -1], dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("0-d: one element", self=normal(()), dim=[0, -1], dtypes=(fp32,), telling=False),
    grid("a dimension of size 1", self=normal((5, 1)), dim=[1], dtypes=(fp32,), telling=False),
    grid("empty", self=shapes((0, 5), (5, 0), (2, 0, 3)), dim=[0, 1], dtypes=(fp32,)),
    grid("short rows, many of them", self=shapes((257, 3), (3, 257)), dim=[0, 1], dtypes=(fp16, fp32)),
    grid("dtype widens", self=normal((4, 33)), dim=1, dtype=[fp32, fp64], dtypes=HALF),
    grid(
        "dtype narrows numbers that both types hold",
        self=integers((4, 33)),
        dim=[0, 1],
        dtype=[*HALF],
        dtypes=(fp32,),
    ),
    grid(
        "whole numbers with a dtype",
        self=shapes((4, 33), values=Integers()),
        dim=1,
        dtype=[fp32],
        dtypes=(i32, i64),
    ),
    grid("dtype is None", self=normal((3, 17)), dim=-1, dtype=[None, OMIT], dtypes=(fp32,)),
    case("one row of -inf", self=literally((3, 33), *_MASKED_ROW, *range(33), 7, dtype=fp32), dim=1),
    case("attention mask: half is -inf", self=sprinkle((16, 65), -inf, dtype=fp16, share=0.5), dim=1),
    case("NaN in some rows", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), dim=1),
    case("+inf in some rows", self=sprinkle((32, 33), inf, dtype=fp32, share=0.02), dim=-1),
    case("+inf and NaN down the columns", self=sprinkle((33, 32), inf, nan, dtype=fp16, share=0.02), dim=0),
    case("large magnitudes, one winner a row", self=normal((8, 65), 0, 1e4, dtype=fp32), dim=1),
    case("far from zero, where exp alone overflows", self=normal((8, 65), 500, 2, dtype=fp32), dim=1),
    case("far below zero, where exp alone vanishes", self=normal((8, 65), -500, 2, dtype=fp32), dim=0),
    case(
        "largest and smallest float16",
        self=sprinkle((8, 33), 65504.0, -65504.0, dtype=fp16, share=0.05),
        dim=1,
    ),
    case("400,000 columns, where zeros are close to right", self=normal((1, 400_000), dtype=fp32), dim=1),
    case("the same, one after another in memory", self=normal((20_011, 2), dtype=fp16), dim=0),
    grid(
        "1M elements",
        self=shapes((1023, 1025)),
        dim=[0, 1],
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid("three dimensions", self=normal((200, 2560, 3)), dim=[0, 1, 2], dtypes=FLOATING, tier=Tier.STANDARD),
    grid("one long row", self=normal((1, 5_000_011)), dim=-1, dtypes=(fp32,), tier=Tier.STANDARD),
)
softmax.perf(
    grid(
        "Llama-3-8B attention scores, 32 heads, 2048 tokens",
        self=normal((32, 2048, 2048)),
        dim=-1,
        dtypes=HALF,
    ),
    weight=3,
)
softmax.perf(
    case("GPT-2 vocabulary logits, 1024 tokens", self=normal((1024, 50257), dtype=fp32), dim=-1),
    case("Llama-3-8B next-token probabilities, batch 128", self=normal((128, 128256), dtype=fp32), dim=-1),
    case("BERT-large attention, batch 16, 512 tokens", self=normal((16, 16, 512, 512), dtype=fp16), dim=-1),
    case("ViT-B/16 attention, batch 64", self=normal((64, 12, 197, 197), dtype=fp16), dim=-1),
    case(
        "DeepLabV3 class scores over channels, 21 x 520 x 520",
        self=normal((16, 21, 520, 520), dtype=fp32),
        dim=1,
    ),
)
