"""aten::sum."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers, Uniform
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
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
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


@operator(
    "aten::sum",
    # The result is rounded once: half an ulp, and 1.0 leaves as much for the last addition. Adding n terms
    # one by one, the worst of the usual orders, errs by 0.3 * eps/2 * sqrt(n) * sum|terms| (a standard
    # deviation for terms of one sign), so 1.0 is three of them.
    numeric=Reduction(ulps=1.0, accumulation=1.0),
)
def sum(
    self: torch.Tensor,
    dim: int | list[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """The sum of `self` over `dim` (one, several, or all for None and []), cast to `dtype` first where given.

    Whole numbers and bool add up in int64 unless `dtype` says otherwise. The sum of nothing is 0.
    """
    return torch.sum(self, dim, keepdim, dtype=dtype)


WHOLE = (u8, i8, i16, i32, i64, boolean)

sum.check(
    grid("everything", self=shapes((7, 129), (2, 3, 5, 7)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("one dimension", self=shapes((7, 129)), dim=[0, [-1]], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("keepdim", self=shapes((2, 3, 5)), dim=[None, 1, [0, -1]], keepdim=True, dtypes=(fp32,)),
    grid("apart from each other", self=shapes((3, 4, 5, 6)), dim=[[0, 2], [1, -1], [3, 0]], dtypes=(fp32,)),
    grid("float64", self=shapes((5, 33)), dim=[0, 1, None], dtypes=(fp64,)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[[0, 2, 4], [1, 3, 5], 3], dtypes=(fp32,)),
    grid("an empty list means all", self=normal((3, 17)), dim=[[]], keepdim=[False, True], dtypes=(fp32,)),
    grid("0-d", self=normal((), 3), dim=[OMIT, 0, [-1]], dtypes=(fp32, i32)),
    grid("size 1", self=normal((1,), 3), dim=[OMIT, 0], keepdim=[OMIT, True], dtypes=(fp16,)),
    grid("empty result", self=shapes((0, 5), (2, 0, 3)), dim=[-1], dtypes=(fp32,)),
    grid("the sum of nothing", self=shapes((0, 5)), dim=[0, None], dtypes=(fp32, i32), telling=False),
    grid("whole numbers", self=shapes((7, 33), values=Integers()), dim=[OMIT, 0, 1], dtypes=WHOLE),
    case("beyond int32", self=integers((3, 41), 10**9, 2 * 10**9, dtype=i32), dim=1),
    case("bytes beyond a byte", self=fill((1031,), 255, dtype=u8)),
    grid(
        "how many are true", self=normal((3, 257)), dim=[1, None], dtype=[OMIT, fp32, i32], dtypes=(boolean,)
    ),
    grid("dtype widens", self=normal((4, 33)), dim=[0, None], dtype=[fp32, fp64], dtypes=HALF),
    grid("whole numbers to float", self=integers((4, 33)), dim=1, dtype=[fp16, fp32], dtypes=(i32, i64)),
    case("each is cut off before it is added", self=uniform((5, 65), -9, 9, dtype=fp32), dim=1, dtype=i64),
    case("wraps around in the dtype asked for", self=integers((5, 65), 1, 99, dtype=i64), dim=1, dtype=i8),
    case("float16 can't hold the partial sums", self=uniform((4, 2049), 3, 5, dtype=fp16), dim=1),
    case("beyond float16", self=uniform((3, 2049), 20, 40, dtype=fp16), dim=1),
    case("NaN in some rows", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), dim=1),
    case("Inf in some rows", self=sprinkle((32, 33), inf, -inf, dtype=fp32, share=0.02), dim=-1),
    case(
        "Inf and -Inf meet in the first row",
        self=literally((2, 4), inf, 1, -inf, 2, 3, inf, 4, 5, dtype=fp16),
        dim=1,
    ),
    case(
        "denormals, which a chip may flush",
        telling=False,
        self=uniform((4, 33), 1e-40, 9e-40, dtype=fp32),
        dim=1,
    ),
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
    case("an index beyond 2^31", self=fill((2**31 + 11,), 1, dtype=i8), tier=Tier.FULL),
)
sum.perf(
    grid(
        "ResNet-50 batch-norm sums, first stage, batch 256",
        self=normal((256, 64, 56, 56)),
        dim=[[0, 2, 3]],
        dtypes=(fp16, fp32),
    ),
    grid(
        "BERT-large feed-forward bias gradient, 32 x 512 tokens",
        self=normal((16384, 4096)),
        dim=0,
        dtypes=HALF,
    ),
)
sum.perf(
    case("GPT-2 vocabulary logits, 1024 tokens", self=normal((1024, 50257), dtype=fp32), dim=-1),
    case("ResNet-50 squared gradients, all 25.6 M", self=uniform((25_557_032,), dtype=fp32)),
    case("DLRM pooled embeddings, 100 lookups of 128", self=normal((2048, 100, 128), dtype=fp32), dim=1),
    case("Mixtral-8x7B tokens an expert, 262144 x top 2", self=integers((524288, 8), 0, 2, dtype=i64), dim=0),
)
