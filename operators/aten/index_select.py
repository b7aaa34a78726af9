"""aten::index_select."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    INTEGER,
    bf16,
    boolean,
    c64,
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
    integers,
    literally,
    normal,
    permutation,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator


@operator("aten::index_select", numeric=Exact(), work=Work.MOVEMENT, sparse=("self",))
def index_select(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    """The slices of `self` along `dim` that a vector names, in its order, repeats included."""
    return torch.index_select(self, dim, index)


index_select.check(
    grid(
        self=normal((19, 33)),
        dim=[0, -1],
        index=integers((23,), 0, 19, dtype=i64),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "3-d",
        self=normal((4, 7, 5)),
        dim=[0, 1, 2, -2],
        index=integers((6,), 0, 4, dtype=i64),
        dtypes=(fp16, fp32),
    ),
    grid(
        "3-d, transposed",
        self=normal((4, 6, 5), dtype=fp32, layout=Layout.TRANSPOSED),
        dim=[0, 1, 2],
        index=integers((9,), 0, 4, dtype=i64),
    ),
    grid(
        "channels last",
        self=normal((2, 8, 3, 5), dtype=fp32, layout=Layout.CHANNELS_LAST),
        dim=[0, 1, 3],
        index=literally((3,), 1, 0, 1, dtype=i64),
    ),
    grid(
        "rank 6, nothing merges",
        self=normal((2, 3, 2, 3, 2, 5), dtype=fp32, layout=Layout.STRIDED),
        dim=[0, 3, -1],
        index=literally((5,), 1, 0, 1, 1, 0, dtype=i64),
    ),
    grid(
        "index in any layout",
        self=normal((12, 21), dtype=fp16),
        dim=[0, 1],
        index=integers((17,), 0, 12),
        dtypes=INTEGER,
        layouts=(Layout.CONTIGUOUS, Layout.STRIDED, Layout.EXPANDED),
    ),
    grid(
        "every element type",
        self=integers((11, 23), 0, 120),
        dim=1,
        index=integers((14,), 0, 11, dtype=i32),
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid("1-d", self=normal((13,)), dim=[0, -1], index=integers((29,), 0, 13, dtype=i64), dtypes=FLOATING),
    grid(
        "0-d",
        self=normal((), dtype=fp32),
        dim=[0, -1],
        index=[fill((), 0, dtype=i64), fill((1,), 0, dtype=i32)],
    ),
    grid("index of rank 0", self=normal((5, 9), dtype=fp32), dim=[0, 1], index=fill((), 3), dtypes=INTEGER),
    case("a permutation", self=normal((65, 7), dtype=fp32), dim=0, index=permutation((65,), dtype=i64)),
    case("one slice many times", self=normal((9, 40), dtype=fp16), dim=0, index=fill((33,), 7, dtype=i64)),
    case("first and last", self=normal((31, 3), dtype=fp32), dim=0, index=literally((5,), 30, 0, dtype=i64)),
    case(
        "slices wider than a block",
        self=normal((3, 9001), dtype=fp16),
        dim=0,
        index=literally((2,), 2, 0, dtype=i64),
    ),
    grid(
        "NaN, Inf, denormals",
        self=sprinkle((9, 41)),
        dim=[0, 1],
        index=integers((12,), 0, 9, dtype=i64),
        dtypes=FLOATING,
    ),
    grid("no indices", self=normal((4, 5), dtype=fp32), dim=[0, 1], index=integers((0,), 0, 4, dtype=i64)),
    grid(
        "empty elsewhere",
        self=normal((0, 5, 3), dtype=fp32),
        dim=[1, 2],
        index=literally((2,), 2, 0, dtype=i64),
    ),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        dim=[0, 1],
        index=integers((1025,), 0, 1023, dtype=i64),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
        tier=Tier.STANDARD,
    ),
    grid(
        "a narrow last dimension, as published",
        self=normal((200, 40_999, 3)),
        dim=[0, 1],
        index=integers((50,), 0, 200, dtype=i64),
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    case(
        "slices beyond 2**31 elements",
        self=uniform((66_000, 33_000), -100, 100, dtype=i8),
        dim=0,
        index=literally((5,), 65_999, 65_077, 0, 65_500, 1, dtype=i64),
        tier=Tier.FULL,
    ),
)
index_select.perf(
    grid(
        "Llama-3-8B key cache reordered by beam search, 32 beams, 8 heads, 2048 tokens",
        self=normal((32, 8, 2048, 128)),
        dim=0,
        index=integers((32,), 0, 32, dtype=i64),
        dtypes=HALF,
    ),
    weight=2,
)
index_select.perf(
    case(
        "GCN messages on ogbn-arxiv, 1166243 edges, 128 features",
        self=normal((169_343, 128), dtype=fp32),
        dim=0,
        index=integers((1_166_243,), 0, 169_343, dtype=i64),
    ),
    case(
        "Mixtral-8x7B tokens of one expert, 2048 of 8192",
        self=normal((8192, 4096), dtype=bf16),
        dim=0,
        index=integers((2048,), 0, 8192, dtype=i64),
    ),
    case(
        "GPTQ act-order, input channels of Llama-3-8B down_proj, 4096 tokens",
        self=normal((4096, 14_336), dtype=fp16),
        dim=1,
        index=permutation((14_336,), dtype=i64),
    ),
)
