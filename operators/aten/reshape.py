"""aten::reshape."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    boolean,
    c64,
    c128,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    normal,
    shapes,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator
from kgb_operators.copies import IMAGES
from kgb_operators.families import RANK_6, VIEWS

TURNED = (Layout.TRANSPOSED,)
FLAT = [[-1]]


# A computation: most cases merge dimensions that no strides can merge, and then a kernel copies. Where
# strides can say the shape, a view needs no launch, and a copy in any order without holes is as right.
@operator("aten::reshape", numeric=Exact(), work=Work.MOVEMENT)
def reshape(self: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """The elements in row-major order in another shape: a view where strides can say it, else a copy.

    One size may be -1, and follows from the others.
    """
    return torch.reshape(self, shape)


reshape.check(
    grid(self=normal((32, 36)), shape=[[-1], [36, 32], [24, -1]], dtypes=FLOATING, layouts=VIEWS),
    grid(
        "contiguous", self=normal((12, 35)), shape=[[-1], [35, 12], [7, 60], [4, 3, 5, -1]], dtypes=FLOATING
    ),
    grid(
        "a dimension split",
        self=normal((12, 35)),
        shape=[[3, 4, 35], [12, 5, 7], [2, 6, 7, 5]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "the same shape",
        self=normal((9, 14)),
        shape=[[9, 14], [-1, 14]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
        telling=False,
    ),
    grid(
        "ones in between",
        self=normal((9, 14)),
        shape=[[9, 1, 14], [1, 9, 14, 1]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "three dimensions",
        self=normal((4, 6, 10)),
        shape=[[-1, 10], [4, -1], [2, 2, 60]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "vectors",
        self=normal((120,)),
        shape=[[8, 15], [2, 3, 4, 5]],
        dtypes=(fp16, fp32),
        layouts=(Layout.CONTIGUOUS, Layout.STRIDED, Layout.EXPANDED),
    ),
    grid(
        "images",
        self=normal(IMAGES),
        shape=[[2, -1], [6, 35], [-1]],
        dtypes=(fp16,),
        layouts=(Layout.CHANNELS_LAST, *VIEWS),
    ),
    grid(
        "heads merged",
        self=normal((2, 33, 12)),
        shape=[[-1, 12], [2, -1], [66, 3, 4]],
        dtypes=FLOATING,
        layouts=TURNED,
    ),
    grid(
        "whole numbers", self=integers((9, 56), -128, 127), shape=FLAT, dtypes=(i8, i16, i32), layouts=TURNED
    ),
    grid(
        "large whole numbers",
        self=integers((9, 56), -(2**62), 2**62),
        shape=[[63, 8]],
        dtypes=(i64,),
        layouts=ANY_LAYOUT,
    ),
    grid("bytes, bools", self=integers((9, 56), 0, 256), shape=FLAT, dtypes=(u8, boolean), layouts=TURNED),
    grid("float64, complex", self=normal((9, 56)), shape=[[14, 36]], dtypes=(fp64, c64, c128), layouts=VIEWS),
    grid("NaN, Inf, denormals", self=sprinkle((9, 57)), shape=FLAT, dtypes=(fp16, fp32), layouts=TURNED),
    grid("0-d", self=normal((), 9.0), shape=[[1], [-1], [1, 1]], dtypes=(fp32, i64)),
    grid("0-d stays", self=normal(()), shape=[[]], dtypes=(fp32,), telling=False),
    grid("to 0-d", self=shapes((1,), (1, 1)), shape=[[]], dtypes=(fp32,)),
    grid("one element", self=normal((1, 1)), shape=[[1], [1, 1, 1], [-1]], dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (3, 0)), shape=[[0], [-1], [2, 0, 4], [0, 7]], dtypes=(fp32,)),
    grid(
        "rank 6",
        self=normal(RANK_6),
        shape=[[-1], [6, 5, 6], [2, 3, 1, 5, 6]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "large",
        self=normal((1025, 1023)),
        shape=[[-1], [1023, 1025]],
        dtypes=FLOATING,
        layouts=VIEWS,
        tier=Tier.STANDARD,
    ),
    grid(
        "large images",
        self=normal((16, 61, 57, 63)),
        shape=[[16, -1]],
        dtypes=FLOATING,
        layouts=(Layout.CHANNELS_LAST, Layout.TRANSPOSED),
        tier=Tier.STANDARD,
    ),
)
reshape.perf(
    case(
        "ViT-B/16 patch embeddings as rows, batch 256",
        self=normal((256, 196, 768), dtype=fp32, layout=Layout.TRANSPOSED),
        shape=[50_176, 768],
    ),
    case(
        "ResNet-50 features out of channels last, flattened, batch 512",
        self=normal((512, 2048, 7, 7), dtype=fp16, layout=Layout.CHANNELS_LAST),
        shape=[512, -1],
    ),
    case(
        "Llama-3-8B keys transposed for the scores, heads of 8 sequences merged",
        self=normal((8, 8, 128, 2048), dtype=fp16, layout=Layout.TRANSPOSED),
        shape=[8, -1, 2048],
    ),
)
