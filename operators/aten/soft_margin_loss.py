"""aten::soft_margin_loss."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal, Sprinkle, Uniform
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
    tensor,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, loss

SIGN = Sprinkle(base=Uniform(low=1, high=1), specials=(-1.0,), share=0.5)
"""1 or -1, at random."""
PARTS: Parts = {"self": Normal(std=2), "target": SIGN}


# An exponential and a logarithm; sums of losses, none of which is negative. PyTorch takes the exponential of
# -target * self as it is, which overflows from 88.7 on in float32 (on CPUs from 11.1 on in float16) though
# the loss is a small number there. Cases stay below: neither answer is one that everybody can give.
@operator(
    "aten::soft_margin_loss", numeric=Reduction(ulps=3.0, input_ulps=2.0, accumulation=1.0, normalized=True)
)
def soft_margin_loss(self: torch.Tensor, target: torch.Tensor, reduction: int = 1) -> torch.Tensor:
    """log(1 + exp(-target * self)); target holds 1 and -1, and broadcasts to self, whose dtype the loss has.

    `reduction` is 0 for none, 1 for mean, 2 for sum. The mean of nothing is NaN.
    """
    found: torch.Tensor = torch.ops.aten.soft_margin_loss(self, target, reduction)
    return found


soft_margin_loss.check(
    loss(PARTS),
    grid(
        "any target",
        self=normal((9, 57)),
        target=normal((9, 57)),
        reduction=[NONE, MEAN, SUM],
        dtypes=(fp32, fp64),
    ),
    grid(
        "broadcast", self=normal((9, 57)), target=tensor((57,), SIGN), reduction=[NONE, MEAN], dtypes=(fp32,)
    ),
    grid(
        "broadcast",
        self=normal((3, 5, 7)),
        target=tensor((5, 1), SIGN),
        reduction=[NONE, SUM],
        dtypes=(fp16, fp32),
    ),
    grid(
        "wide",
        self=uniform((9, 57), -85, 85),
        target=tensor((9, 57), SIGN),
        reduction=[NONE, MEAN],
        dtypes=(fp32, fp64),
    ),
    grid(
        "losses that vanish in 1 + exp",
        self=uniform((9, 57), 15, 80),
        target=literally((57,), 1.0),
        reduction=[NONE, SUM],
        dtypes=(fp32, fp64),
    ),
    grid(
        "confident halves",
        self=uniform((9, 57), -6, 6),
        target=tensor((9, 57), SIGN),
        reduction=[NONE, MEAN, SUM],
        dtypes=HALF,
    ),
    grid(
        "tiny",
        self=uniform((5, 33), -1e-6, 1e-6),
        target=tensor((5, 33), SIGN),
        reduction=[NONE, MEAN],
        dtypes=(fp32,),
    ),
    grid(
        "special values",
        self=literally((6, 7), inf, -inf, nan, 0.0, 1e-40),
        target=literally((6, 7), 1.0, -1.0),
        reduction=NONE,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "zero times infinity",
        self=literally((3, 3), inf, 1.0, -1.0),
        target=literally((3,), 0.0, 1.0, -1.0),
        reduction=NONE,
        dtypes=FLOATING,
    ),
    grid(
        "one NaN spoils a reduced loss",
        self=sprinkle((9, 57), nan, share=0.01),
        target=tensor((9, 57), SIGN),
        reduction=[MEAN, SUM],
        dtypes=(fp16, fp32),
    ),
    case(
        "whole targets", self=normal((9, 57), dtype=fp32), target=tensor((9, 57), SIGN, i64), reduction=NONE
    ),
    case(
        "whole targets", self=normal((9, 57), dtype=fp16), target=tensor((9, 57), SIGN, i64), reduction=MEAN
    ),
    case(
        "promotion: self decides",
        self=normal((9, 57), dtype=fp32),
        target=tensor((9, 57), SIGN, fp16),
        reduction=NONE,
    ),
    case(
        "promotion: self decides",
        self=normal((9, 57), dtype=fp32),
        target=tensor((9, 57), SIGN, fp64),
        reduction=SUM,
    ),
)
soft_margin_loss.perf(
    grid(
        "ComplEx on FB15k, all 14951 entities, batch 1024",
        **alike(PARTS, (1024, 14951)),
        reduction=MEAN,
        dtypes=(*HALF, fp32),
    ),
    weight=2,
)
soft_margin_loss.perf(
    grid("Amazon-670K labels, batch 64", **alike(PARTS, (64, 670_091)), reduction=OMIT, dtypes=(fp32,)),
    grid(
        "Open Images V4, 19794 labels, batch 1024",
        **alike(PARTS, (1024, 19794)),
        reduction=SUM,
        dtypes=(fp32,),
    ),
    grid(
        "PatchGAN of 1024 x 1024, one loss each, batch 1024",
        **alike(PARTS, (1024, 1, 126, 126)),
        reduction=NONE,
        dtypes=(fp32,),
    ),
)
