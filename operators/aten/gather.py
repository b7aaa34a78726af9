"""aten::gather."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    INTEGER,
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


@operator("aten::gather", numeric=Exact(), work=Work.MOVEMENT, sparse=("self",))
def gather(self: torch.Tensor, dim: int, index: torch.Tensor, sparse_grad: bool = False) -> torch.Tensor:
    """The elements of `self` that `index` names along `dim`, at their own place in the other dimensions."""
    return torch.gather(self, dim, index, sparse_grad=sparse_grad)


gather.check(
    grid(
        "longer than self",
        self=normal((7, 33)),
        dim=0,
        index=integers((19, 33), 0, 7, dtype=i64),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "smaller in the other dimension",
        self=normal((17, 31)),
        dim=-1,
        index=integers((11, 45), 0, 31, dtype=i64),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "index in any layout",
        self=normal((9, 33), dtype=fp32),
        dim=[0, 1],
        index=integers((8, 20), 0, 9),
        dtypes=INTEGER,
        layouts=ANY_LAYOUT,
    ),
    grid("1-d", self=normal((13,)), dim=[0, -1], index=integers((29,), 0, 13, dtype=i64), dtypes=FLOATING),
    grid(
        "3-d",
        self=normal((4, 5, 9)),
        dim=[0, 1, 2, -3],
        index=integers((3, 4, 7), 0, 4, dtype=i64),
        dtypes=(fp16, fp32),
    ),
    grid(
        "3-d, both transposed",
        self=normal((4, 6, 5), dtype=fp32, layout=Layout.TRANSPOSED),
        dim=[0, 1, 2],
        index=integers((4, 6, 5), 0, 4, dtype=i64, layout=Layout.TRANSPOSED),
    ),
    grid(
        "rank 6, nothing merges",
        self=normal((2, 3, 2, 3, 2, 5), dtype=fp32, layout=Layout.STRIDED),
        dim=[0, 3, -1],
        index=integers((2, 2, 2, 2, 2, 3), 0, 2, dtype=i64, layout=Layout.STRIDED),
    ),
    grid(
        "every element type",
        self=integers((11, 23), 0, 120),
        dim=1,
        index=integers((11, 14), 0, 23, dtype=i64),
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid("0-d", self=normal((), dtype=fp32), dim=[0, -1], index=fill((), 0, dtype=i64)),
    grid("an element of a vector", self=normal((17,)), dim=0, index=fill((), 11, dtype=i64), dtypes=FLOATING),
    case("a scalar repeated", self=normal((), dtype=fp32), dim=0, index=fill((5,), 0, dtype=i64)),
    grid(
        "sparse gradient",
        self=normal((6, 21), dtype=fp32),
        dim=1,
        index=integers((6, 21), 0, 21, dtype=i64),
        sparse_grad=[False, True],
    ),
    case("a permutation", self=normal((65,), dtype=fp32), dim=0, index=permutation((65,), dtype=i64)),
    case(
        "one element of each row, as a loss picks it",
        self=normal((37, 101), dtype=fp32),
        dim=1,
        index=integers((37, 1), 0, 101, dtype=i64),
    ),
    case(
        "the same element for all",
        self=normal((8, 15), dtype=fp16),
        dim=1,
        index=fill((8, 40), 14, dtype=i64),
    ),
    case(
        "first and last", self=normal((31, 3), dtype=fp32), dim=0, index=literally((5, 3), 30, 0, dtype=i64)
    ),
    grid(
        "NaN, Inf, denormals",
        self=sprinkle((9, 41)),
        dim=1,
        index=integers((9, 30), 0, 41, dtype=i64),
        dtypes=FLOATING,
    ),
    grid(
        "no indices",
        self=normal((4, 5), dtype=fp32),
        dim=[0, 1],
        index=[integers((0, 5), 0, 4, dtype=i64), integers((4, 0), 0, 4, dtype=i32)],
    ),
    case(
        "nothing to gather from, no indices",
        self=normal((0, 5), dtype=fp32),
        dim=0,
        index=integers((0, 5), 0, 1, dtype=i64),
    ),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        dim=[0, 1],
        index=integers((1023, 1025), 0, 1023, dtype=i64),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
        tier=Tier.STANDARD,
    ),
    grid(
        "3-d, as published",
        self=normal((128, 32, 256)),
        dim=[0, 1, 2],
        index=integers((128, 32, 256), 0, 32, dtype=i64),
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    case(
        "elements beyond 2**31",
        self=uniform((66_000, 33_000), -100, 100, dtype=i8),
        dim=0,
        index=literally((4, 33), 65_999, 65_077, 0, 65_500, 1, dtype=i64),
        tier=Tier.FULL,
    ),
)
gather.perf(
    case(
        "DeBERTa-v3-base content-to-position scores, 12 heads, 512 tokens, batch 8",
        self=normal((96, 512, 512), dtype=fp16),
        dim=-1,
        index=integers((96, 512, 512), 0, 512, dtype=i64, layout=Layout.EXPANDED),
    ),
    case(
        "Llama-3-8B nucleus sampling, 128 sequences: probabilities in sorted order",
        self=uniform((128, 128_256), dtype=fp32),
        dim=-1,
        index=integers((128, 128_256), 0, 128_256, dtype=i64),
    ),
    weight=2,
)
gather.perf(
    grid(
        "MAE ViT-L/16 visible patches, 49 of 196, batch 256",
        self=normal((256, 196, 1024)),
        dim=1,
        index=integers((256, 49, 1024), 0, 196, dtype=i64),
        dtypes=(fp16, fp32),
    ),
    case(
        "Mixtral-8x7B tokens in expert order, 8192 tokens to 2 experts each",
        self=normal((8192, 4096), dtype=fp16),
        dim=0,
        index=integers((16_384, 4096), 0, 8192, dtype=i64),
    ),
)
