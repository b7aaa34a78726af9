"""aten::index.

Masks are not among the cases. How many elements a mask names decides the shape of the result, and the only
way for a kernel to learn it is to read it back to the host, which the judge counts as work done elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
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
    normal,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator
from kgb_operators.indexing import IN_ANY_LAYOUT, NOTHING, RANK_6, WAYS, Naming, numbers, rearranged


@operator("aten::index", numeric=Exact(), work=Work.MOVEMENT, sparse=("self",))
def index(self: torch.Tensor, indices: list[torch.Tensor | None]) -> torch.Tensor:
    """The elements that index tensors name, one for each leading dimension, or `None` for all of a dimension.

    The tensors broadcast, negative numbers count from the end. Their shape stands for the dimensions that
    they index where these are neighbours, and in front of the others if not.
    """
    found: torch.Tensor = torch.ops.aten.index.Tensor(self, indices)
    return found


def _read(
    ways: Sequence[Naming],
    dtypes: Sequence[DType] = (fp32,),
    layouts: Sequence[Layout] = (Layout.CONTIGUOUS,),
) -> list[Case]:
    return [
        made
        for way in ways
        for layout in layouts
        for made in grid(
            way.title, self=normal(way.shape, layout=layout), indices=[way.indices], dtypes=dtypes
        )
    ]


index.check(
    _read(WAYS, (fp16, fp32)),
    _read(WAYS[:2], HALF[1:]),
    _read([WAYS[0], WAYS[1], WAYS[4], WAYS[7], WAYS[8]], layouts=ANY_LAYOUT[1:]),
    _read(IN_ANY_LAYOUT),
    _read(RANK_6, layouts=(Layout.CONTIGUOUS, Layout.STRIDED)),
    _read([rearranged(65), rearranged(33, 7)], FLOATING),
    _read(NOTHING),
    grid(
        "every element type",
        self=integers((11, 23), 0, 120),
        indices=[[numbers(11, 9)], [None, numbers(23, 15)], [numbers(11, 9), numbers(23, 9)]],
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid(
        "repeats",
        self=normal((7, 33)),
        indices=[[integers((4, 19), -7, 7, dtype=i64)], [None, integers((50,), -33, 33, dtype=i32)]],
        dtypes=FLOATING,
    ),
    grid("the same for all", self=normal((9, 40)), indices=[[fill((33,), -1, dtype=i64)]], dtypes=FLOATING),
    grid(
        "channels last",
        self=normal((2, 8, 3, 5), dtype=fp32, layout=Layout.CHANNELS_LAST),
        indices=[[None, numbers(8, 6)], [None, None, numbers(3, 2), numbers(5, 2)]],
    ),
    grid("NaN, Inf, denormals", self=sprinkle((9, 41)), indices=[[None, numbers(41, 30)]], dtypes=FLOATING),
    case("rows wider than a block", self=normal((3, 9001), dtype=fp16), indices=[numbers(3, 2)]),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        indices=[
            [integers((1025,), -1023, 1023, dtype=i64)],
            [None, integers((1023,), -1025, 1025, dtype=i64)],
            [integers((1023, 1), 0, 1023, dtype=i64), integers((1025,), 0, 1025, dtype=i64)],
        ],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
        tier=Tier.STANDARD,
    ),
    case(
        "elements beyond 2**31",
        self=uniform((66_000, 33_000), -100, 100, dtype=i8),
        indices=[integers((77,), 65_100, 66_000, dtype=i64), integers((77,), 0, 33_000, dtype=i64)],
        tier=Tier.FULL,
    ),
)
index.perf(
    grid(
        "Mixtral-8x7B tokens of an expert, 2048 of 8192",
        self=normal((8192, 4096)),
        indices=[[integers((2048,), 0, 8192, dtype=i64)]],
        dtypes=HALF,
    ),
    weight=2,
)
index.perf(
    case(
        "GCN messages on ogbn-arxiv, 1166243 edges, 128 features",
        self=normal((169_343, 128), dtype=fp32),
        indices=[integers((1_166_243,), 0, 169_343, dtype=i64)],
    ),
    case(
        "GPT-2 distillation, 256 logits of each of 8192 tokens",
        self=normal((8192, 50_257), dtype=fp16),
        indices=[integers((8192, 1), 0, 8192, dtype=i64), integers((8192, 256), 0, 50_257, dtype=i64)],
    ),
    case(
        "PointPainting: 4 x 256 feature maps of 116 x 200 at 40000 projected lidar points",
        self=normal((4, 256, 116, 200), dtype=fp32),
        indices=[None, None, integers((40_000,), 0, 116, dtype=i64), integers((40_000,), 0, 200, dtype=i64)],
    ),
)
