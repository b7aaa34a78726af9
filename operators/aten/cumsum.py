"""aten::cumsum."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers, Uniform
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
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


def _longest_sum(call: Bound) -> int:
    return int(call["self"].shape[call["dim"]]) if call["self"].dim() else 1


@operator(
    "aten::cumsum",
    # As for the sum; a scan may add a carry on top of a block's own scan, one rounding more.
    numeric=Reduction(ulps=1.5, accumulation=1.0, terms=_longest_sum),
)
def cumsum(self: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    """The running sums of `self` along `dim`, cast to `dtype` first where given.

    Whole numbers and bool add up in int64 unless `dtype` says otherwise. After NaN, or Inf that met -Inf,
    the rest of the row is NaN.
    """
    return torch.cumsum(self, dim, dtype=dtype)


WHOLE = (u8, i8, i16, i32, i64, boolean)

cumsum.check(
    grid(self=shapes((7, 129)), dim=0, dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid(self=shapes((7, 129)), dim=-1, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(self=shapes((2, 3, 5, 7)), dim=[1, -1], dtypes=(fp16, fp32), layouts=ANY_LAYOUT),
    grid("float64", self=shapes((5, 33)), dim=[0, 1], dtypes=(fp64,), layouts=DENSE_LAYOUT),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[0, 3, -1], dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("short rows, many of them", self=shapes((257, 3), (3, 257)), dim=[0, 1], dtypes=(fp16, fp32)),
    grid("0-d", self=normal((), 3), dim=[0, -1], dtypes=(fp32,)),
    grid("0-d", self=fill((), True), dim=[0, -1], dtypes=(boolean,), telling=False),
    grid("a dimension of size 1", self=normal((5, 1), 3), dim=1, dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (2, 0, 3)), dim=[0, 1], dtypes=(fp32, i32)),
    grid("whole numbers", self=shapes((7, 33), values=Integers()), dim=[0, 1], dtypes=WHOLE),
    case("beyond int32", self=integers((3, 41), 10**9, 2 * 10**9, dtype=i32), dim=1),
    case("bytes beyond a byte", self=integers((3, 129), 100, 256, dtype=u8), dim=1),
    grid("how many were true", self=normal((3, 257)), dim=1, dtype=[OMIT, fp32, i32], dtypes=(boolean,)),
    grid("dtype widens", self=normal((4, 33)), dim=1, dtype=[fp32, fp64], dtypes=HALF),
    grid("whole numbers to float", self=integers((4, 33)), dim=1, dtype=[fp16, fp32], dtypes=(i32, i64)),
    case("each is cut off before it is added", self=uniform((5, 65), -9, 9, dtype=fp32), dim=1, dtype=i64),
    case("wraps around in the dtype asked for", self=integers((5, 65), 1, 99, dtype=i64), dim=1, dtype=i8),
    case("steps of 1 that float16 drops above 2048", self=uniform((2, 2049), 0.5, 1.5, dtype=fp16), dim=1),
    # In steps so large that a scan in float16, which some chips have, crosses the limit at the same place.
    case("grows beyond float16", self=uniform((3, 65), 3000, 5000, dtype=fp16), dim=1),
    case("NaN in some rows", self=sprinkle((16, 65), nan, dtype=fp32, share=0.01), dim=1),
    case("Inf in some rows", self=sprinkle((16, 65), inf, -inf, dtype=fp32, share=0.02), dim=-1),
    case("Inf meets -Inf", self=literally((2, 5), 1, inf, 2, -inf, 3, 4, -inf, 5, 6, 7, dtype=fp16), dim=1),
    case("NaN down the columns", self=sprinkle((65, 16), nan, inf, dtype=fp16, share=0.01), dim=0),
    case("denormals", self=uniform((4, 257), 1e-40, 9e-40, dtype=fp32), dim=1),
    case("an odd length in several parts", self=normal((20_011,), 0.5, dtype=fp32), dim=0),
    case("whole numbers in several parts", self=integers((20_011,), -99, 100, dtype=i32), dim=0),
    case("several parts down the columns", self=normal((9_001, 2), 0.5, dtype=fp16), dim=0),
    grid("1M elements", self=normal((1023, 1025), 0.1), dim=[0, 1], dtypes=FLOATING, tier=Tier.STANDARD),
    grid(
        "three dimensions",
        self=normal((16, 1025, 255), 0.1),
        dim=[0, 1, 2],
        dtypes=(fp32, i32),
        tier=Tier.STANDARD,
    ),
    grid(
        "5M in a row",
        self=shapes((5_000_011,), values=Uniform()),
        dim=0,
        dtypes=(fp32, i64),
        tier=Tier.STANDARD,
    ),
)
cumsum.perf(
    grid(
        "Llama-3-8B top-p sampling over sorted probabilities, batch 128",
        self=uniform((128, 128256)),
        dim=-1,
        dtypes=(fp16, fp32),
    ),
    weight=2,
)
cumsum.perf(
    case(
        "BERT-base position ids from a mask, 32768 x 512", self=integers((32768, 512), 0, 2, dtype=i64), dim=1
    ),
    case(
        "Mamba-2 2.7B decay sums, 8 x 8192 steps x 80 heads",
        self=normal((64, 8192, 80), -0.1, dtype=fp32),
        dim=1,
    ),
    case(
        "Mixtral-8x7B places in the experts, 262144 x top 2",
        self=integers((524288, 8), 0, 2, dtype=i64),
        dim=0,
    ),
)
