"""aten::amin."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
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
    inf,
    integers,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
    tensor,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


@operator("aten::amin", numeric=Exact())
def amin(
    self: torch.Tensor, dim: int | list[int] | tuple[int, ...] = (), keepdim: bool = False
) -> torch.Tensor:
    """The minimum of `self` over `dim` (one, several, or all for []); NaN where there is one.

    A dimension of size 0 can only be reduced where the result is empty anyway.
    """
    return torch.amin(self, dim, keepdim)


WHOLE = (u8, i8, i16, i32, i64)
_WIDE = Integers(low=-(10**9), high=10**9)

amin.check(
    grid("everything", self=shapes((7, 129), (2, 3, 5, 7)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("one dimension", self=shapes((7, 129)), dim=[0, [-1]], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("keepdim", self=shapes((2, 3, 5)), dim=[[], 1, [0, -1]], keepdim=True, dtypes=(fp32,)),
    grid("apart from each other", self=shapes((3, 4, 5, 6)), dim=[[0, 2], [1, -1], [3, 0]], dtypes=(fp32,)),
    grid("float64", self=shapes((5, 33)), dim=[0, 1, []], dtypes=(fp64,)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[[0, 2, 4], [1, 3, 5], 3], dtypes=(fp32,)),
    grid("0-d", self=normal((), 3), dim=[OMIT, 0, [-1]], dtypes=(fp32, i32)),
    grid("size 1", self=normal((1,), 3), dim=[OMIT, 0], keepdim=[OMIT, True], dtypes=(fp16,)),
    grid("empty result", self=shapes((0, 5), (2, 0, 3)), dim=[-1], dtypes=(fp32,)),
    grid(
        "whole numbers", self=shapes((7, 33), values=Normal(mean=60, std=15)), dim=[OMIT, 0, 1], dtypes=WHOLE
    ),
    case("int64 beyond float64's precision", self=integers((5, 33), 2**60, 2**60 + 999, dtype=i64), dim=1),
    grid("negative", self=shapes((5, 33), values=_WIDE), dim=1, dtypes=(i32, i64), layouts=ANY_LAYOUT),
    grid("whether all are true", self=literally((3, 5), *[1] * 7, 0), dim=[0, 1], dtypes=(boolean,)),
    case("NaN in some rows", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), dim=1),
    case("NaN in some columns", self=sprinkle((33, 32), nan, dtype=fp16, share=0.02), dim=0),
    case("one NaN among all", self=sprinkle((17, 31), nan, dtype=fp32, share=0.0001)),
    case(
        "first and last are NaN",
        self=literally((3, 4), nan, 1, 2, 3, 4, 5, 6, nan, 7, 9, 8, 8, dtype=fp64),
        dim=1,
    ),
    case("-Inf in some rows", self=sprinkle((32, 33), -inf, inf, dtype=fp32, share=0.02), dim=-1),
    case(
        "all +Inf in the first row",
        self=literally((2, 4), inf, inf, inf, inf, 2, inf, 4, 5, dtype=fp16),
        dim=1,
    ),
    case("NaN beside -Inf", self=literally((2, 4), -inf, nan, 1, 2, nan, -inf, 4, 5, dtype=fp32), dim=1),
    case("denormals of both signs", self=tensor((4, 33), Normal(std=1e-39), fp32), dim=1),
    case(
        "the largest numbers",
        self=literally((2, 3), 65504, 65503, 65504, -65504, 7, -65504, dtype=fp16),
        dim=1,
    ),
    case(
        "the largest int64", self=literally((2, 2), 2**53 - 1, 2**53 - 2, -(2**53) + 1, 5, dtype=i64), dim=1
    ),
    case("ties", self=integers((9, 65), -3, 4, dtype=fp32), dim=0),
    case("an odd length in two stages", self=normal((20_011,), dtype=fp32)),
    case("a NaN in the second stage", self=sprinkle((20_011,), nan, dtype=fp32, share=0.00001)),
    grid("1M elements", self=normal((1023, 1025)), dim=[[], 0, 1], dtypes=FLOATING, tier=Tier.STANDARD),
    grid(
        "and apart",
        self=normal((64, 129, 130)),
        dim=[[0, 2], 1],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid("5M elements", self=normal((5_000_011,)), dtypes=(fp32, i64), tier=Tier.STANDARD),
)
amin.perf(
    grid(
        "Llama-3-8B per-channel weight range, feed-forward",
        self=normal((14336, 4096)),
        dim=-1,
        keepdim=True,
        dtypes=HALF,
    ),
    weight=2,
)
amin.perf(
    case("the same over the other dimension", self=normal((14336, 4096), dtype=fp16), dim=0),
    case(
        "ResNet-50 activation range for calibration, batch 128", self=normal((128, 256, 56, 56), dtype=fp32)
    ),
    case(
        "PointNet++ nearest of 1024 centroids, 16 x 4096 points",
        self=normal((16, 4096, 1024), dtype=fp32),
        dim=-1,
    ),
)
