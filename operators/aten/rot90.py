"""aten::rot90."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    boolean,
    c64,
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


@operator("aten::rot90", numeric=Exact(), work=Work.MOVEMENT)
def rot90(self: torch.Tensor, k: int = 1, dims: list[int] | tuple[int, ...] = (0, 1)) -> torch.Tensor:
    """A copy of `self`, turned by `k` quarters from the first of two dimensions towards the second."""
    return torch.rot90(self, k, dims)


rot90.check(
    grid(self=normal((17, 33)), k=[OMIT, 2, 3, -1], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("full turns and more", self=normal((5, 8), dtype=fp32), k=[0, 4, 5, 6, 7, -2, -3, -4, 1001]),
    grid(
        "each plane of three",
        self=normal((4, 5, 7)),
        k=[1, 2, 3],
        dims=[[0, 1], [1, 0], [0, 2], [2, 1], [-1, -2]],
        dtypes=(fp16, fp32),
    ),
    grid(
        "images",
        self=normal((2, 3, 8, 6), dtype=fp32),
        k=[1, 2],
        dims=[[2, 3], [1, -1]],
        layouts=(Layout.CONTIGUOUS, Layout.CHANNELS_LAST),
    ),
    grid(
        "channels last",
        self=normal((2, 3, 8, 6), layout=Layout.CHANNELS_LAST),
        k=[1, 2, 3],
        dims=[[2, 3], [1, -1]],
        dtypes=(fp16,),
    ),
    grid(
        "rank 6",
        self=normal((2, 3, 2, 3, 2, 5)),
        k=[1, 2],
        dims=[[1, 4], [5, 0]],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "every element type",
        self=integers((9, 14), 0, 120),
        k=[1, 2],
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid("one row, one column", self=shapes((1, 37), (37, 1)), k=[1, 2, 3], dtypes=(fp32,)),
    grid("NaN, Inf, denormals, -0.0", self=sprinkle((9, 41)), k=[1, 2], dtypes=FLOATING),
    grid("one element, copied", self=normal((1, 1)), k=[1, 2], dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (5, 0), (3, 0, 2)), k=[1, 2], dtypes=(fp32,)),
    case("a row wider than a block", self=normal((2, 9001), dtype=fp16), k=1),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        k=[1, 2, 3],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        self=normal((128, 32, 64)),
        k=[0, 1, 2, 3],
        dims=[[0, 1], [0, 2], [1, 2]],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
rot90.perf(
    grid(
        "ResNet-50 training images turned by a quarter, batch 64",
        self=normal((64, 3, 224, 224)),
        k=1,
        dims=[[2, 3]],
        dtypes=HALF,
    ),
    grid(
        "U-Net test-time augmentation by a half turn, 8 x 64 x 512 x 512",
        self=normal((8, 64, 512, 512)),
        k=2,
        dims=[[2, 3]],
        dtypes=(fp16, fp32),
    ),
)
rot90.perf(
    case(
        "RotNet images turned by three quarters, channels last, batch 256",
        self=normal((256, 3, 224, 224), dtype=fp32, layout=Layout.CHANNELS_LAST),
        k=3,
        dims=[2, 3],
    ),
)
