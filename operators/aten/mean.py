"""aten::mean."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Uniform
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
    i32,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


@operator(
    "aten::mean",
    # As for the sum, and a division or a product with the rounded reciprocal of the count: 1 ulp more.
    numeric=Reduction(ulps=2.0, accumulation=1.0),
)
def mean(
    self: torch.Tensor,
    dim: int | list[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """The mean of `self` over `dim` (one, several, or all for None and []), cast to `dtype` first if given.

    Whole numbers and bool need a floating `dtype`. The mean of nothing is NaN.
    """
    return torch.mean(self, dim, keepdim, dtype=dtype)


mean.check(
    grid("everything", self=shapes((7, 129), (2, 3, 5, 7)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("one dimension", self=shapes((7, 129)), dim=[0, [-1]], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("keepdim", self=shapes((2, 3, 5)), dim=[None, 1, [0, -1]], keepdim=True, dtypes=(fp32,)),
    grid("apart from each other", self=shapes((3, 4, 5, 6)), dim=[[0, 2], [1, -1], [3, 0]], dtypes=(fp32,)),
    grid("float64", self=shapes((5, 33)), dim=[0, 1, None], dtypes=(fp64,)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[[0, 2, 4], [1, 3, 5], 3], dtypes=(fp32,)),
    grid("an empty list means all", self=normal((3, 17)), dim=[[]], keepdim=[False, True], dtypes=(fp32,)),
    grid("0-d", self=normal((), 3), dim=[OMIT, 0, [-1]], dtypes=(fp32,)),
    grid("size 1", self=normal((1,), 3), dim=[OMIT, 0], keepdim=[OMIT, True], dtypes=(fp16,)),
    grid("empty result", self=shapes((0, 5), (2, 0, 3)), dim=[-1], dtypes=(fp32,)),
    grid("the mean of nothing", self=shapes((0, 5)), dim=[0, None], dtypes=(fp16, fp32)),
    grid("whole numbers", self=integers((7, 33)), dim=[0, None], dtype=[fp16, fp32, fp64], dtypes=(i32, i64)),
    grid("the share that is true", self=normal((3, 257)), dim=[1, None], dtype=[fp32], dtypes=(boolean,)),
    grid("dtype widens", self=normal((4, 33)), dim=[0, None], dtype=[fp32, fp64], dtypes=HALF),
    case("float16 can't hold the partial sums", self=uniform((4, 2049), 3, 5, dtype=fp16), dim=1),
    case("float16 can't hold the sum, but the mean", self=uniform((3, 2049), 100, 400, dtype=fp16), dim=1),
    case("NaN in some rows", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), dim=1),
    case("Inf in some rows", self=sprinkle((32, 33), inf, -inf, dtype=fp32, share=0.02), dim=-1),
    case(
        "Inf and -Inf meet in the first row",
        self=literally((2, 4), inf, 1, -inf, 2, 3, inf, 4, 5, dtype=fp16),
        dim=1,
    ),
    case("far from zero", self=normal((5, 257), 1000, 1, dtype=fp32), dim=1),
    case("an odd length in two stages", self=normal((20_011,), 0.5, dtype=fp32)),
    grid(
        "1M elements", self=normal((1023, 1025), 0.1), dim=[None, 0, 1], dtypes=FLOATING, tier=Tier.STANDARD
    ),
    grid(
        "and apart",
        self=normal((64, 129, 130), 0.1),
        dim=[[0, 2], 1],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid("5M elements", self=shapes((5_000_011,), values=Uniform()), dtypes=(fp32, fp64), tier=Tier.STANDARD),
)
mean.perf(
    grid(
        "Llama-3-8B RMSNorm mean square, 8192 tokens",
        self=uniform((8192, 4096)),
        dim=-1,
        keepdim=True,
        dtypes=HALF,
    ),
    weight=3,
)
mean.perf(
    grid(
        "ResNet-50 global average pooling, batch 256",
        self=normal((256, 2048, 7, 7), 0.5),
        dim=[[2, 3]],
        dtypes=(fp16, fp32),
    ),
    case(
        "BERT-large mean pooling over 512 tokens, batch 64",
        self=normal((64, 512, 1024), 0.1, dtype=fp16),
        dim=1,
    ),
    case("Stable Diffusion v1 noise loss, batch 512", self=uniform((512, 4, 64, 64), dtype=fp32)),
)
