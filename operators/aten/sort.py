"""aten::sort."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers, Normal, Permutation
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
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
    permutation,
    shapes,
    sprinkle,
    tensor,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


@operator("aten::sort", numeric=Exact())
def sort(
    self: torch.Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """The values of `self` in order along `dim`, and where each came from (int64).

    NaN counts as larger than anything, both zeros as equal. With `stable`, equal elements keep their order,
    in a descending sort too; without it their order is undefined, so every case with ties is stable.
    """
    values, indices = torch.sort(self, dim=dim, descending=descending, stable=stable)
    return values, indices


UNIQUE = Permutation()
BOTH = [False, True]
WHOLE = (u8, i8, i16, i32, i64)
_ZEROS = (0.0, -0.0, 0.0, -0.0, 1.0, -1.0, -0.0)

sort.check(
    # bfloat16 tells whole numbers up to 256 apart, and the strided layout draws twice the elements.
    grid("no ties", self=shapes((2, 60), values=UNIQUE), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(
        "no ties, falling",
        self=shapes((7, 17), values=UNIQUE),
        dim=[0, -1],
        descending=True,
        dtypes=(*FLOATING, i32),
    ),
    grid(
        "ties",
        self=shapes((4, 33), values=Integers()),
        dim=[0, 1],
        descending=BOTH,
        stable=True,
        dtypes=(fp16, fp32),
    ),
    grid(
        "ties in other layouts",
        self=shapes((4, 33), values=Integers()),
        stable=True,
        dtypes=(fp32, i64),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "whole numbers",
        self=shapes((3, 41), values=Normal(mean=60, std=15)),
        descending=BOTH,
        stable=True,
        dtypes=WHOLE,
    ),
    grid("of both signs", self=shapes((3, 41), values=Normal(std=40)), stable=True, dtypes=WHOLE[1:]),
    grid("bool", self=normal((3, 33)), descending=BOTH, stable=True, dtypes=(boolean,)),
    grid("float64", self=normal((4, 33)), dim=[0, 1], descending=BOTH, stable=True, dtypes=(fp64,)),
    grid("three dimensions", self=normal((3, 5, 7)), dim=[0, 1, -1], dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[0, 3, -1], dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("0-d", self=normal(()), dim=[OMIT, 0, -1], dtypes=(fp32,)),
    grid("a dimension of size 1", self=normal((5, 1)), dim=1, dtypes=(fp32,)),
    grid("two of them", self=shapes((9, 2), values=UNIQUE), dim=[0, 1], dtypes=(fp16, i64)),
    grid("empty", self=shapes((0, 5), (2, 0, 3)), dim=[0, 1], dtypes=(fp32,)),
    grid(
        "NaN last, first where falling",
        self=sprinkle((4, 33), nan, inf, -inf),
        descending=BOTH,
        stable=True,
        dtypes=(fp16, fp32, fp64),
    ),
    grid(
        "one NaN, unstable", self=literally((1, 6), 3, nan, -inf, 5, inf, -2), descending=BOTH, dtypes=(fp32,)
    ),
    grid(
        "both zeros are equal", self=literally((2, 7), *_ZEROS), descending=BOTH, stable=True, dtypes=(fp32,)
    ),
    grid("denormals of both signs", self=normal((4, 33), 0, 1e-39), stable=True, dtypes=(fp32,)),
    grid("all alike", self=integers((3, 41), 7, 8), descending=BOTH, stable=True, dtypes=(fp32, i64)),
    grid(
        "in order already, and against it",
        self=literally((1, 65), *range(65)),
        descending=BOTH,
        dtypes=(i32,),
    ),
    case(
        "int64 that differ in the lower half",
        self=integers((3, 65), 2**40, 2**40 + 2**33, dtype=i64),
        stable=True,
    ),
    case(
        "the ends of int64",
        self=integers((3, 65), -(2**63), 2**63 - 1, dtype=i64),
        stable=True,
        descending=True,
    ),
    grid("some thousand", self=integers((1, 2053), -99, 99), stable=True, descending=BOTH, dtypes=(fp16, i8)),
    case(
        "some thousand with NaN",
        self=sprinkle((1, 1031), nan, inf, 0.0, -0.0, dtype=fp32, share=0.02),
        stable=True,
    ),
    case("some thousand down the columns", self=tensor((1031, 2), UNIQUE, i16), dim=0, descending=True),
    case("some thousand of 64 bits", self=integers((1, 1031), -(2**62), 2**62, dtype=i64), stable=True),
    grid(
        "1M elements",
        self=normal((1023, 1025)),
        dim=[0, 1],
        stable=True,
        dtypes=(*FLOATING, i32, i64),
        tier=Tier.STANDARD,
    ),
    grid(
        "long rows",
        self=normal((4, 131_072), 0, 100),
        descending=BOTH,
        stable=True,
        dtypes=(*FLOATING, i16, i64, u8),
        tier=Tier.STANDARD,
    ),
    grid(
        "lengths around a power of 2",
        self=shapes((3, 1024), (3, 1025), (5, 4096)),
        stable=True,
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    grid(
        "one very long row",
        self=normal((2_000_003,)),
        stable=True,
        dtypes=(fp16, fp32, fp64),
        tier=Tier.STANDARD,
    ),
    grid("and without ties", self=permutation((2_000_003,)), dtypes=(i32, i64), tier=Tier.STANDARD),
)
sort.perf(
    grid(
        "Llama-3-8B top-p sampling, batch 64",
        self=normal((64, 128256)),
        dim=-1,
        descending=True,
        stable=True,
        dtypes=(fp16, fp32),
    ),
    weight=2,
)
sort.perf(
    case(
        "DLRM embedding rows of a batch, 65536 x 26",
        self=integers((1_703_936,), 0, 40_000_000, dtype=i64),
        stable=True,
    ),
    case(
        "RetinaNet anchors by score, batch 16",
        self=uniform((16, 120_087), dtype=fp32),
        descending=True,
        stable=True,
    ),
    case(
        "MSLR-WEB30K documents by score, 30720 queries of 128",
        self=uniform((30720, 128), dtype=fp32),
        descending=True,
        stable=True,
    ),
)
