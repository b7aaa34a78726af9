"""aten::as_strided."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
    OMIT,
    bf16,
    case,
    fp16,
    fp32,
    grid,
    i64,
    normal,
    permutation,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import looks

STRIDED = (Layout.STRIDED,)


@operator("aten::as_strided", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def as_strided(
    self: torch.Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> torch.Tensor:
    """The storage of `self` seen through these sizes and strides; elements may overlap.

    `storage_offset` counts from the start of the storage, not of `self`, and is that of `self` by default.
    """
    return torch.as_strided(self, size, stride, storage_offset)


# What the layout of self skips lies in its storage all the same, and a copy of self alone has not got it.
as_strided.check(
    grid(
        self=normal((16, 24)),
        size=[[8, 6]],
        stride=[[24, 1], [1, 24], [48, 2]],
        storage_offset=[OMIT, 25],
        dtypes=(fp32,),
        layouts=DENSE_LAYOUT,
    ),
    looks((1, 130), size=[[9, 13]], stride=[[13, 1], [1, 9]]),
    grid(
        "offset is None",
        self=normal((7, 9)),
        size=[[3, 5]],
        stride=[[9, 1]],
        storage_offset=[None, 0, 20],
        dtypes=FLOATING,
        layouts=STRIDED,
    ),
    grid(
        "0 is the start of the storage",
        self=normal((5, 8)),
        size=[[5, 17]],
        stride=[[17, 1]],
        storage_offset=0,
        dtypes=(fp16, fp32),
        layouts=STRIDED,
    ),
    grid("every second", self=normal((65,)), size=[[33]], stride=[[2]], dtypes=(fp16, fp32)),
    grid(
        "from an offset",
        self=permutation((1024,)),
        size=[[513]],
        stride=[[1]],
        storage_offset=[0, 511],
        dtypes=(fp32, i64),
    ),
    grid("windows that overlap", self=normal((40,)), size=[[36, 5], [7, 8]], stride=[[1, 1]], dtypes=(fp32,)),
    grid(
        "one row again and again",
        self=normal((3, 11)),
        size=[[4, 11]],
        stride=[[0, 1]],
        storage_offset=[OMIT, 11],
        dtypes=FLOATING,
    ),
    grid(
        "of an expanded tensor",
        self=normal((6, 9)),
        size=[[4, 9], [3, 3]],
        stride=[[0, 1]],
        dtypes=(fp32,),
        layouts=(Layout.EXPANDED,),
    ),
    grid(
        "three dimensions",
        self=normal((8, 16, 8)),
        size=[[8, 8, 16], [4, 8, 4]],
        stride=[[128, 1, 8]],
        dtypes=(fp16, fp32),
    ),
    grid(
        "a plane",
        self=normal((5, 7, 3)),
        size=[[7, 3]],
        stride=[[3, 1]],
        storage_offset=[21, 84],
        dtypes=(fp32,),
    ),
    case(
        "images",
        self=normal((2, 3, 6, 4), dtype=fp32, layout=Layout.CHANNELS_LAST),
        size=[2, 3, 3, 2],
        stride=[72, 24, 8, 2],
    ),
    case(
        "rank 6",
        self=normal((2, 3, 2, 3, 2, 5), dtype=fp32),
        size=[5, 2, 3, 2, 3, 2],
        stride=[1, 5, 10, 30, 60, 180],
    ),
    case("one element as 0-d", self=normal((4, 5), dtype=fp32), size=[], stride=[], storage_offset=7),
    case("one element, any stride", self=normal((4, 5), dtype=fp32), size=[1, 1], stride=[99, 0]),
    case("of a 0-d tensor", self=normal((), dtype=fp32), size=[3, 2], stride=[0, 0]),
    grid("empty", self=normal((4, 5)), size=[[0, 5], [3, 0]], stride=[[7, 1]], dtypes=(fp32,)),
    case("of an empty tensor", self=normal((3, 0), dtype=fp32), size=[0, 2], stride=[2, 1]),
    grid(
        "large, transposed",
        self=normal((1023, 1025)),
        size=[[1025, 1023]],
        stride=[[1, 1025]],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    grid(
        "large, cropped",
        self=normal((1023, 1025)),
        size=[[511, 513]],
        stride=[[2050, 2]],
        storage_offset=[1026],
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
)
as_strided.perf(
    case(
        "Longformer-base keys in overlapping chunks, 4096 tokens, window 512",
        self=normal((12, 4096, 64), dtype=fp16),
        size=[12, 15, 512, 64],
        stride=[262_144, 16_384, 64, 1],
    ),
    case(
        "ViT-B/16 patches, batch 64",
        self=normal((64, 3, 224, 224), dtype=fp32),
        size=[64, 14, 14, 3, 16, 16],
        stride=[150_528, 3584, 16, 50_176, 224, 1],
    ),
    case(
        "Llama-3-8B keys inside the fused projection, 8192 tokens",
        self=normal((8192, 6144), dtype=bf16),
        size=[8192, 8, 128],
        stride=[6144, 128, 1],
        storage_offset=4096,
    ),
)
