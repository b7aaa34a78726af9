"""aten::matmul."""

from __future__ import annotations

import math
from itertools import zip_longest

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Product
from kgb_core.operators.spec import operator


def _flops(self: torch.Tensor, other: torch.Tensor) -> float:
    columns = other.shape[-1] if other.dim() > 1 else 1
    rows = self.shape[-2] if self.dim() > 1 else 1
    pairs = zip_longest(self.shape[-3::-1], other.shape[-3::-1], fillvalue=1)
    batch = math.prod(0 if 0 in pair else max(pair) for pair in pairs)
    return 2.0 * batch * rows * columns * self.shape[-1]


def _inner(call: Bound) -> int:
    return int(call["self"].shape[-1])


# The numbers are aten::mm's.
@operator("aten::matmul", numeric=Product(terms=_inner, ulps=1.0, accumulation=2.0), flops=_flops)
def matmul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The matrix product self @ other of two tensors of one floating type and of any ranks from 1 on.

    A vector is a row on the left and a column on the right, and its dimension is gone from the result. All
    but the last two dimensions are batches and broadcast. float32 without TF32; zeros with no inner size.
    """
    return torch.matmul(self, other)


Shape = tuple[int, ...]


def _pairs(
    *pairs: tuple[Shape, Shape],
    title: str = "",
    dtypes: tuple[DType, ...] = FLOATING,
    layouts: tuple[Layout, ...] = (Layout.CONTIGUOUS,),
    tier: Tier = Tier.SMOKE,
    telling: bool = True,
) -> list[Case]:
    """Normal operands of every pair of shapes."""
    return [
        made
        for left, right in pairs
        for made in grid(
            title,
            self=normal(left),
            other=normal(right),
            dtypes=dtypes,
            layouts=layouts,
            tier=tier,
            telling=telling,
        )
    ]


_VECTOR = (((65,), (65,)), ((65,), (65, 19)), ((17, 65), (65,)), ((3, 5, 33), (33,)), ((33,), (3, 33, 5)))
_BATCHED = (
    ((3, 7, 33), (33, 9)),
    ((7, 33), (3, 33, 9)),
    ((3, 1, 7, 33), (4, 33, 9)),
    ((2, 1, 9, 17), (1, 3, 17, 11)),
    ((1, 7, 33), (5, 33, 3)),
)

matmul.check(
    _pairs(((17, 65), (65, 33)), layouts=ANY_LAYOUT),
    _pairs(*_VECTOR, title="vectors", layouts=(Layout.CONTIGUOUS, Layout.STRIDED)),
    _pairs(((3, 17, 33), (3, 33, 19)), layouts=ANY_LAYOUT),
    _pairs(*_BATCHED, title="broadcast batches", dtypes=(fp16, fp32)),
    _pairs(((3, 1, 7, 33), (4, 33, 9)), title="broadcast", dtypes=(fp32,), layouts=ANY_LAYOUT[1:]),
    _pairs(((2, 3, 5, 33), (33, 7)), title="one matrix for all rows", dtypes=(fp32,), layouts=ANY_LAYOUT),
    _pairs(((2, 1, 2, 1, 9, 17), (3, 1, 2, 17, 5)), title="rank 6", dtypes=(fp32,)),
    _pairs(((2, 1, 2, 1, 2, 5, 17), (2, 1, 2, 1, 17, 5)), title="rank 7, nothing merges", dtypes=(fp32,)),
    _pairs(((1, 1), (1, 1)), ((1,), (1,)), ((1, 32), (32, 1)), ((2, 3), (3, 5)), title="small"),
    _pairs(((31, 257), (257, 29)), ((5, 7), (7, 300)), ((3, 130), (130, 40)), title="odd and even tiles"),
    _pairs(*_VECTOR[:3], ((2, 7, 19), (19, 6)), title="float64", dtypes=(fp64,), layouts=ANY_LAYOUT[:3]),
    grid(
        "a weight as Linear keeps it",
        self=normal((2, 9, 65)),
        other=normal((65, 33), layout=Layout.TRANSPOSED),
        dtypes=FLOATING,
    ),
    grid(
        "queries and transposed keys",
        self=normal((2, 3, 17, 33)),
        other=normal((2, 3, 33, 19), layout=Layout.TRANSPOSED),
        dtypes=FLOATING,
    ),
    grid(
        "channels last",
        self=normal((2, 3, 5, 7), layout=Layout.CHANNELS_LAST),
        other=normal((7, 4)),
        dtypes=HALF,
    ),
    _pairs(
        ((0, 5), (5, 3)),
        ((2, 0, 5), (5, 3)),
        ((0, 3, 5), (5,)),
        ((0, 2, 3), (0, 3, 4)),
        title="empty",
        dtypes=(fp32,),
    ),
    _pairs(
        ((3, 0), (0, 5)),
        ((0,), (0,)),
        ((2, 3, 0), (0,)),
        title="nothing to add",
        dtypes=(fp16, fp32),
        telling=False,
    ),
    grid("small whole numbers", self=integers((2, 9, 65)), other=integers((65, 11)), dtypes=FLOATING),
    grid("of one sign", self=uniform((9, 257)), other=uniform((257, 11)), dtypes=FLOATING),
    grid("a long dot product of one sign", self=uniform((3001,)), other=uniform((3001,)), dtypes=FLOATING),
    case(
        "around float16's limit",
        self=uniform((9, 97), 10, 41, dtype=fp16),
        other=uniform((97, 11), 10, 41, dtype=fp16),
    ),
    case(
        "partial sums beyond float16, the result within",
        self=uniform((4, 64), 100, 200, dtype=fp16),
        other=normal((64, 33), 0, 3, dtype=fp16),
    ),
    case(
        "NaN in some rows",
        self=sprinkle((33, 40), nan, dtype=fp32, share=0.005),
        other=normal((40,), dtype=fp32),
    ),
    case(
        "NaN in some columns",
        self=normal((2, 9, 20), dtype=fp16),
        other=sprinkle((2, 20, 17), nan, dtype=fp16, share=0.005),
    ),
    case(
        "Inf where the tile ends",
        self=normal((5, 33), dtype=fp16),
        other=sprinkle((33, 3), inf, dtype=fp16, share=0.03),
    ),
    case(
        "Inf in a vector",
        self=sprinkle((3, 5, 33), inf, -inf, dtype=fp32, share=0.01),
        other=normal((33,), dtype=fp32),
    ),
    case(
        "rows of very different size",
        self=normal((9, 65), 0, 1e4, dtype=fp32),
        other=normal((65, 9), 0, 1e-4, dtype=fp32),
    ),
    _pairs(((1023, 1025), (1025, 511)), ((15, 1024), (1024, 160)), tier=Tier.STANDARD),
    _pairs(
        ((16, 129, 257), (257, 1023)), ((1023, 4099), (4099,)), ((4099,), (4099, 1023)), tier=Tier.STANDARD
    ),
    _pairs(((8, 1, 255, 513), (5, 513, 257)), layouts=ANY_LAYOUT, tier=Tier.STANDARD),
)
matmul.perf(
    grid(
        "Llama-3-8B feed-forward down projection, 2 x 2048 tokens",
        self=normal((2, 2048, 14336)),
        other=normal((14336, 4096), layout=Layout.TRANSPOSED),
        dtypes=HALF,
    ),
    weight=3,
)
matmul.perf(
    case(
        "Llama-3-8B decode, 16 sequences: queries x 8192 cached keys, 4 query heads a key head",
        self=normal((16, 8, 4, 128), dtype=HALF[1]),
        other=normal((16, 8, 128, 8192), dtype=HALF[1], layout=Layout.TRANSPOSED),
    ),
    case(
        "ViT-B/16 attention, batch 64: weights x values",
        self=uniform((64, 12, 197, 197), dtype=fp16),
        other=normal((64, 12, 197, 64), dtype=fp16),
    ),
    case(
        "BERT-large feed-forward, 8 x 512 tokens",
        self=normal((8, 512, 1024), dtype=fp32),
        other=normal((1024, 4096), dtype=fp32, layout=Layout.TRANSPOSED),
    ),
    case(
        "GPT-2 next-token logits: the vocabulary x one hidden vector, float32",
        self=normal((50257, 768), dtype=fp32),
        other=normal((768,), dtype=fp32),
    ),
)
