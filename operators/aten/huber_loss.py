"""aten::huber_loss."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    OMIT,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i64,
    inf,
    literally,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, loss

PARTS: Parts = {"self": Normal(std=1.5), "target": Normal(std=1.5)}
STEPS: Parts = {"self": Integers(low=-3, high=4), "target": Integers(low=-3, high=4)}
"""Differences that meet a delta of 1 or 2 exactly, and zero."""


# A difference, which may cancel, two products and a sum of losses, none of which is negative: its error grows
# with the result. ATen rounds each loss to half precision before it adds them.
@operator("aten::huber_loss", numeric=Reduction(ulps=3.0, input_ulps=2.0, accumulation=1.0, normalized=True))
def huber_loss(
    self: torch.Tensor, target: torch.Tensor, reduction: int = 1, delta: float = 1.0
) -> torch.Tensor:
    """(self - target) ** 2 / 2 where that difference is below delta, else delta * (|difference| - delta / 2).

    `reduction` is 0 for none, 1 for mean, 2 for sum. The mean of nothing is NaN.
    """
    found: torch.Tensor = torch.ops.aten.huber_loss(self, target, reduction, delta)
    return found


huber_loss.check(
    loss(PARTS),
    grid(
        "delta", **alike(PARTS, (9, 57)), reduction=[NONE, MEAN, SUM], delta=[0.5, 2.0], dtypes=(fp16, fp32)
    ),
    grid("delta", **alike(PARTS, (9, 57)), reduction=[NONE, SUM], delta=[0.01, 1, 100.0], dtypes=(fp32,)),
    grid(
        "on the corner", **alike(STEPS, (9, 57)), reduction=NONE, delta=[OMIT, 2.0], dtypes=(*FLOATING, fp64)
    ),
    grid("broadcast", self=normal((9, 57)), target=normal((57,)), reduction=[NONE, MEAN], dtypes=(fp32,)),
    grid("broadcast", self=normal((3, 5, 7)), target=normal((5, 1)), reduction=[NONE, SUM], dtypes=(fp32,)),
    grid(
        "special values", self=sprinkle((9, 57)), target=normal((9, 57)), reduction=NONE, dtypes=(fp32, fp64)
    ),
    grid(
        "infinities and NaN",
        self=literally((5, 4), inf, -inf, nan, 2.0, 0.0),
        target=literally((5, 4), inf, -inf, nan, 1.0),
        reduction=NONE,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "one NaN spoils a reduced loss",
        self=sprinkle((9, 57), nan, share=0.01),
        target=normal((9, 57)),
        reduction=[MEAN, SUM],
        dtypes=(fp16, fp32),
    ),
    grid(
        "one infinity spoils a reduced loss",
        self=sprinkle((9, 57), inf, share=0.01),
        target=normal((9, 57)),
        reduction=[MEAN, SUM],
        dtypes=(fp16, fp32),
    ),
    grid(
        "nearly equal",
        self=uniform((5, 33), 1, 1.001),
        target=literally((33,), 1.0),
        reduction=[NONE, MEAN],
        dtypes=(fp32, fp64),
    ),
    grid(
        "outliers",
        self=normal((9, 57), 0, 1e6),
        target=normal((9, 57)),
        reduction=[NONE, MEAN, SUM],
        dtypes=(fp32,),
    ),
    case(
        "promotion: self decides",
        self=normal((9, 57), dtype=fp32),
        target=normal((9, 57), dtype=fp16),
        reduction=NONE,
    ),
    case(
        "promotion: self decides",
        self=normal((9, 57), dtype=fp16),
        target=normal((9, 57), dtype=fp32),
        reduction=MEAN,
    ),
    case(
        "promotion: whole targets",
        self=normal((9, 57), dtype=fp32),
        target=normal((9, 57), 0, 2, dtype=i64),
        reduction=SUM,
    ),
)
huber_loss.perf(
    grid(
        "instant-ngp colours, 4 million rays",
        **alike(PARTS, (4_194_304, 3)),
        reduction=MEAN,
        delta=0.1,
        dtypes=(fp16, fp32),
    ),
    weight=2,
)
huber_loss.perf(
    grid(
        "QR-DQN, 200 x 200 quantiles, batch 512",
        **alike(PARTS, (512, 200, 200)),
        reduction=NONE,
        dtypes=(fp32,),
    ),
    grid(
        "MiDaS depths of 384 x 384, batch 256", **alike(PARTS, (256, 384, 384)), reduction=OMIT, dtypes=HALF
    ),
    grid(
        "MACE forces of OMat24, 4 million atoms",
        **alike(PARTS, (4_000_000, 3)),
        reduction=SUM,
        delta=0.01,
        dtypes=(fp32,),
    ),
)
