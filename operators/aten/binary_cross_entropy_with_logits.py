"""aten::binary_cross_entropy_with_logits."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal, Uniform
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    OMIT,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.families import VIEWS
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, loss

LABEL = Integers(low=0, high=2)
PARTS: Parts = {"self": Normal(std=2), "target": LABEL}
ABOVE: Parts = {"self": Uniform(low=0.25, high=4), "target": LABEL}
"""Logits above zero, where the terms of the loss don't cancel: see the rule."""
WEIGHT, POS_WEIGHT = Uniform(low=0.25, high=2), Uniform(low=1, high=8)
EVERY = [NONE, MEAN, SUM]


# ATen adds (1 - target) * self, which is negative below zero, to -log(sigmoid(self)): where the target is 0
# the loss is a small difference of two terms of the size of the logit.
# `accumulation` bounds that, and the sums. In half precision ATen rounds both terms first;
# cases in half precision are above zero. With both weights it rounds six times, which is up to 5 ulps.
@operator(
    "aten::binary_cross_entropy_with_logits", numeric=Reduction(ulps=5.0, input_ulps=2.0, accumulation=2.0)
)
def binary_cross_entropy_with_logits(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    pos_weight: torch.Tensor | None = None,
    reduction: int = 1,
) -> torch.Tensor:
    """weight * ((1 - target) * self - (1 + (pos_weight - 1) * target) * log(sigmoid(self))).

    Both weights count as 1 when left out, and broadcast to target. `reduction` is 0 for none, 1 for mean, 2
    for sum. The mean of nothing is NaN, and so is a loss whose infinite terms meet.
    """
    found: torch.Tensor = torch.ops.aten.binary_cross_entropy_with_logits(
        self, target, weight, pos_weight, reduction
    )
    return found


_WEIGHTED: Parts = {**ABOVE, "weight": WEIGHT}
_POSITIVE: Parts = {**ABOVE, "pos_weight": POS_WEIGHT}
_BOTH: Parts = {**ABOVE, "weight": WEIGHT, "pos_weight": POS_WEIGHT}

binary_cross_entropy_with_logits.check(
    loss(ABOVE),
    grid("any logit", **alike(PARTS, (37, 53)), reduction=EVERY, dtypes=(fp32, fp64)),
    grid("soft targets", self=normal((9, 57)), target=uniform((9, 57)), reduction=EVERY, dtypes=(fp32,)),
    grid(
        "soft targets",
        self=uniform((9, 57), 0.25, 4),
        target=uniform((9, 57)),
        reduction=[NONE, MEAN],
        dtypes=HALF,
    ),
    [
        made
        for parts in (_WEIGHTED, _POSITIVE, _BOTH)
        for made in grid("weights", **alike(parts, (9, 57)), reduction=EVERY, dtypes=FLOATING)
    ],
    grid("weights", **alike(_BOTH, (9, 57)), reduction=[NONE, SUM], dtypes=(fp32,), layouts=VIEWS),
    grid("weights, and the mean by default", **alike(_BOTH, (9, 57)), reduction=OMIT, dtypes=(fp32, fp64)),
    grid(
        "weights that are None",
        **alike(PARTS, (9, 57)),
        weight=[None, OMIT],
        pos_weight=[None],
        reduction=NONE,
        dtypes=(fp32,),
    ),
    grid(
        "a weight for each class",
        **alike(ABOVE, (19, 31)),
        weight=[None, uniform((31,), 0.25, 2)],
        pos_weight=uniform((31,), 1, 8),
        reduction=[NONE, SUM],
        dtypes=FLOATING,
    ),
    grid(
        "a weight for each sample",
        **alike(PARTS, (19, 31)),
        weight=uniform((19, 1), 0.25, 2),
        reduction=[NONE, SUM],
        dtypes=(fp32,),
    ),
    grid(
        "a weight for each channel of pictures",
        **alike(PARTS, (2, 3, 5, 7)),
        pos_weight=uniform((3, 1, 1), 1, 8),
        reduction=[NONE, MEAN],
        dtypes=(fp32,),
        layouts=VIEWS[:2],
    ),
    grid(
        "weights of one element",
        **alike(PARTS, (9, 57)),
        weight=uniform((), 0.25, 2),
        pos_weight=uniform((1,), 1, 8),
        reduction=[NONE, SUM],
        dtypes=(fp32,),
    ),
    grid(
        "weights of zero: some samples don't count",
        **alike(PARTS, (9, 57)),
        weight=integers((9, 57), 0, 2),
        reduction=[NONE, MEAN],
        dtypes=(fp32,),
    ),
    grid(
        "broadcast logits",
        self=uniform((31,), 0.25, 4),
        target=integers((19, 31), 0, 2),
        reduction=[NONE, MEAN],
        dtypes=(fp16, fp32),
    ),
    grid(
        "confident and right, or wrong",
        self=uniform((9, 57), -80, 80),
        target=integers((9, 57), 0, 2),
        reduction=EVERY,
        dtypes=(fp32, fp64),
    ),
    grid(
        "infinities and NaN",
        self=literally((5, 7), inf, -inf, nan, 2.0, 0.0),
        target=literally((5, 7), 0.0, 1.0),
        reduction=NONE,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "one NaN spoils a reduced loss",
        self=sprinkle((9, 57), nan, share=0.01),
        target=integers((9, 57), 0, 2),
        reduction=[MEAN, SUM],
        dtypes=(fp32, fp64),
    ),
    case(
        "targets outside of [0, 1]",
        self=normal((9, 57), dtype=fp32),
        target=normal((9, 57), dtype=fp32),
        reduction=NONE,
    ),
    case(
        "far above zero",
        self=uniform((9, 57), 1e3, 1e30, dtype=fp32),
        target=literally((9, 57), 0.0, 0.5, 1.0, dtype=fp32),
        reduction=NONE,
    ),
)
binary_cross_entropy_with_logits.perf(
    grid(
        "YOLOv8 class scores at 640 x 640, batch 64",
        self=normal((64, 8400, 80), -4, 2),
        target=uniform((64, 8400, 80), 0, 1),
        reduction=NONE,
        dtypes=(fp16, fp32),
    ),
    weight=2,
)
binary_cross_entropy_with_logits.perf(
    grid(
        "U-Net masks of Carvana, 1280 x 1918, batch 16",
        **alike(PARTS, (16, 1, 1280, 1918)),
        reduction=OMIT,
        dtypes=(*HALF, fp32),
    ),
    grid(
        "Open Images V4, 19794 labels weighted, batch 1024",
        **alike(PARTS, (1024, 19794)),
        pos_weight=uniform((19794,), 1, 8),
        reduction=MEAN,
        dtypes=(fp32,),
    ),
    grid(
        "DLRM clicks, 16 million samples of Criteo, weighted",
        **alike({**PARTS, "weight": WEIGHT}, (16_777_216,)),
        reduction=SUM,
        dtypes=(fp32,),
    ),
)
