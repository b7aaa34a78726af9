"""aten::prelu."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import RANK_6, VIEWS


# One product, rounded once.
@operator("aten::prelu", numeric=Elementwise(ulps=1.0))
def prelu(self: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """self where it is positive, else weight * self; one weight for all, or one for each of dimension 1."""
    return torch.prelu(self, weight)


ONE = uniform((1,), 0.1, 0.6)
CHANNELS = uniform((5,), -0.6, 0.6)

prelu.check(
    grid(self=normal((37, 53)), weight=ONE, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("by channel", self=normal((19, 5, 7)), weight=CHANNELS, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("float64", self=normal((9, 5, 7)), weight=[ONE, CHANNELS], dtypes=(fp64,), layouts=ANY_LAYOUT[:3]),
    grid("by channel, of two dimensions", self=normal((33, 5)), weight=CHANNELS, dtypes=FLOATING),
    grid(
        "one weight of rank 0",
        self=shapes((9, 57), (33,), (4, 5, 6, 7)),
        weight=uniform((), 0.1, 0.6),
        dtypes=(fp32,),
    ),
    grid("one weight", self=shapes((1021,), (3, 5, 7), RANK_6), weight=ONE, dtypes=(fp32,)),
    grid(
        "as many channels as elements",
        self=normal((1, 257)),
        weight=uniform((257,), -0.6, 0.6),
        dtypes=(fp16, fp32),
    ),
    grid("0-d", self=fill((), -1.5), weight=[ONE, uniform((), 0.1, 0.6)], dtypes=(fp32,)),
    grid("one element", self=fill((1, 1), -1.5), weight=ONE, dtypes=(fp32,)),
    grid("empty", self=shapes((0,), (3, 0, 5), (0, 5, 7)), weight=ONE, dtypes=(fp32,)),
    grid("empty, by channel", self=normal((0, 5, 7)), weight=CHANNELS, dtypes=(fp32,)),
    grid(
        "channels last",
        self=normal((2, 5, 7, 9), layout=Layout.CHANNELS_LAST),
        weight=[ONE, CHANNELS],
        dtypes=(fp16, fp32),
    ),
    grid("rank 6", self=normal((2, 5, 1, 3, 2, 3)), weight=CHANNELS, dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid(
        "weights with gaps",
        self=normal((7, 5, 9)),
        weight=uniform((5,), -0.6, 0.6, layout=Layout.STRIDED),
        dtypes=(fp32,),
    ),
    grid("special values", self=sprinkle((9, 5, 11)), weight=[ONE, CHANNELS], dtypes=(*FLOATING, fp64)),
    grid(
        "special weights",
        self=normal((9, 5, 11)),
        weight=literally((5,), nan, inf, -inf, 0.0, 1.0),
        dtypes=FLOATING,
    ),
    grid(
        "zero times an infinite weight",
        self=literally((3, 4), 0.0, -0.0, 1.0, -1.0),
        weight=fill((1,), inf),
        dtypes=(fp16, fp32),
    ),
    grid(
        "a weight above 1 and one below 0",
        self=normal((9, 57)),
        weight=[fill((1,), 3.0), fill((1,), -2.0)],
        dtypes=FLOATING,
    ),
    case(
        "products that are denormal",
        self=uniform((5, 33), -1e-37, 1e-37, dtype=fp32),
        weight=fill((1,), 0.0625, dtype=fp32),
    ),
    grid("million", self=normal((1_000_003,)), weight=ONE, dtypes=FLOATING, tier=Tier.STANDARD),
    grid(
        "odd",
        self=normal((31, 33, 1025)),
        weight=uniform((33,), 0, 1),
        dtypes=FLOATING,
        layouts=VIEWS,
        tier=Tier.STANDARD,
    ),
)
prelu.perf(
    grid(
        "ArcFace iResNet-100 first stage, batch 128",
        self=normal((128, 64, 112, 112)),
        weight=uniform((64,), 0, 0.5),
        dtypes=HALF,
    ),
    weight=2,
)
prelu.perf(
    grid(
        "SRResNet upsampled features of a 1920 x 1080 picture, one weight",
        self=normal((1, 64, 1080, 1920)),
        weight=uniform((1,), 0, 0.5),
        dtypes=(fp16, fp32),
    ),
    grid(
        "Conv-TasNet blocks, 512 channels, 16 utterances of 4 s",
        self=normal((16, 512, 3999)),
        weight=uniform((1,), 0, 0.5),
        dtypes=(fp32,),
    ),
    grid(
        "ESPNetv2 encoder at 1024 x 512, channels last, batch 32",
        self=normal((32, 32, 256, 512), layout=Layout.CHANNELS_LAST),
        weight=uniform((32,), 0, 0.5),
        dtypes=(fp16,),
    ),
)
