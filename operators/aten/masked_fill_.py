"""aten::masked_fill_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
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
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


@operator("aten::masked_fill_", numeric=Exact(), mutates=("self",), sparse=("self",))
def masked_fill_(self: torch.Tensor, mask: torch.Tensor, value: float | torch.Tensor) -> torch.Tensor:
    """`value`, a number or a 0-d tensor, wherever `mask` is true, in place; the mask broadcasts to `self`."""
    return self.masked_fill_(mask, value)


masked_fill_.check(
    grid(
        self=normal((17, 33)),
        mask=integers((17, 33), dtype=boolean),
        value=[-7.25, 1024],
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "mask in any layout",
        self=[normal((13, 40), dtype=fp32), normal((13, 40), dtype=fp32, layout=Layout.TRANSPOSED)],
        mask=integers((13, 40)),
        value=0.5,
        dtypes=(boolean,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "mask broadcast",
        self=normal((3, 4, 5, 6)),
        mask=[
            integers(s, dtype=boolean)
            for s in ((6,), (5, 1), (4, 1, 6), (3, 1, 1, 1), (1, 1, 5, 6), (1, 4, 1, 1), (3, 1, 5, 1))
        ],
        value=-3.0,
        dtypes=(fp32,),
        layouts=(Layout.CONTIGUOUS, Layout.TRANSPOSED),
    ),
    grid(
        "the value in a 0-d tensor",
        self=normal((9, 21)),
        mask=integers((9, 21), dtype=boolean),
        value=[fill((), 1024, dtype=i64), fill((), 1024.5, dtype=fp32), fill((), 0.3, dtype=fp64)],
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "a 0-d tensor that says true",
        self=[integers((9, 21), dtype=boolean), integers((9, 21), dtype=i32), normal((9, 21), dtype=fp32)],
        mask=integers((9, 21), dtype=boolean),
        value=[fill((), True, dtype=boolean), fill((), 0.5, dtype=fp32)],
    ),
    grid(
        "a value that only float64 holds",
        self=normal((5, 31), dtype=fp64),
        mask=integers((5, 31), dtype=boolean),
        value=[0.1, 1e300, -1e-300, 3],
    ),
    grid(
        "whole numbers",
        self=integers((11, 23), 0, 120),
        mask=integers((11, 23), dtype=boolean),
        value=[77, 3.75, True],
        dtypes=(i8, i16, i32, i64, u8),
    ),
    grid(
        "large whole numbers",
        self=integers((7, 19), -(2**62), 2**62, dtype=i64),
        mask=integers((7, 19), dtype=boolean),
        value=[2**53 + 1, -(2**62) - 3],
    ),
    grid(
        "bool",
        self=integers((15, 17), dtype=boolean),
        mask=integers((15, 17), dtype=boolean),
        value=[True, False, 2, 0.5, nan],
    ),
    grid(
        "NaN, Inf and the largest half",
        self=sprinkle((8, 37)),
        mask=integers((8, 37), dtype=boolean),
        value=[nan, inf, -inf, 65504.0, -0.0],
        dtypes=(fp16, fp32),
    ),
    grid("0-d", self=normal(()), mask=fill((), True, dtype=boolean), value=-2.5, dtypes=FLOATING),
    grid(
        "rank 6, nothing merges",
        self=normal((2, 3, 2, 3, 2, 5), dtype=fp32, layout=Layout.STRIDED),
        mask=[integers((2, 3, 2, 3, 2, 5), dtype=boolean), integers((2, 1, 2, 1, 2, 1), dtype=boolean)],
        value=9.0,
    ),
    case(
        "channels last",
        self=normal((2, 8, 3, 5), dtype=fp32, layout=Layout.CHANNELS_LAST),
        mask=integers((2, 8, 3, 5), dtype=boolean),
        value=4.0,
    ),
    case(
        "one true in all",
        self=normal((41, 43), dtype=fp32),
        mask=literally((41, 43), *[i == 1000 for i in range(41 * 43)], dtype=boolean),
        value=6.5,
    ),
    case("all true", self=normal((19, 7), dtype=fp32), mask=fill((19, 7), True, dtype=boolean), value=-12.0),
    case(
        "none true",
        telling=False,
        self=normal((19, 7), dtype=fp32),
        mask=fill((7,), False, dtype=boolean),
        value=-12.0,
    ),
    case(
        "a row wider than a block",
        self=normal((9001,), dtype=fp16),
        mask=integers((9001,), dtype=boolean),
        value=2,
    ),
    grid(
        "empty",
        self=shapes((0, 5), (5, 0)),
        mask=fill((1,), True, dtype=boolean),
        value=1.0,
        dtypes=(fp32,),
    ),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        mask=[integers((1023, 1025), dtype=boolean), integers((1023, 1), dtype=boolean)],
        value=-inf,
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        self=normal((20, 320, 15)),
        mask=integers((20, 320, 15), dtype=boolean),
        value=1024,
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
masked_fill_.perf(
    grid(
        "GPT-2 attention scores, one mask for 12 heads, 1024 tokens, batch 8",
        self=normal((8, 12, 1024, 1024)),
        mask=integers((1, 1, 1024, 1024), dtype=boolean),
        value=-10000.0,
        dtypes=(fp16, fp32),
    ),
    grid(
        "Llama-3-8B attention scores, one mask for 32 heads, 2048 tokens",
        self=normal((1, 32, 2048, 2048)),
        mask=integers((1, 1, 2048, 2048), dtype=boolean),
        value=-inf,
        dtypes=HALF,
    ),
    weight=2,
)
masked_fill_.perf(
    case(
        "BERT-base attention scores, padding of 64 sequences of 512 tokens",
        self=normal((64, 12, 512, 512), dtype=fp16),
        mask=integers((64, 1, 1, 512), dtype=boolean),
        value=-65504.0,
    ),
    case(
        "Llama-3-8B logits, tokens ruled out in 256 sequences",
        self=normal((256, 128_256), dtype=fp32),
        mask=integers((256, 128_256), dtype=boolean),
        value=-inf,
    ),
)
