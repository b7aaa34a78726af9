"""aten::smooth_l1_loss_backward."""

from __future__ import annotations

from typing import Any

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    fp32,
    fp64,
    grid,
    integers,
    literally,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, pointwise

SIDES: Parts = {"self": Normal(std=1.5), "target": Normal(std=1.5)}
PARTS: Parts = {"grad_output": Normal(), **SIDES}
STEPS: Parts = {"self": Integers(low=-3, high=4), "target": Integers(low=-3, high=4)}
"""Differences that meet a beta of 1 or 2 exactly, and zero."""


# A difference, a product and a division. ATen rounds 1 / count and beta to half precision on some chips.
@operator("aten::smooth_l1_loss_backward", numeric=Elementwise(ulps=3.0, input_ulps=2.0))
def smooth_l1_loss_backward(
    grad_output: torch.Tensor, self: torch.Tensor, target: torch.Tensor, reduction: int, beta: float
) -> torch.Tensor:
    """grad_output times (self - target) / beta, clipped to -1 and 1; for a mean (1), divided by the count.

    `reduction` is 0 for none, 1 for mean, 2 for sum. With a beta of 0, equal elements count as below.
    """
    found: torch.Tensor = torch.ops.aten.smooth_l1_loss_backward(grad_output, self, target, reduction, beta)
    return found


def _one(shape: tuple[int, ...]) -> dict[str, Any]:
    """Arguments whose gradient comes from a reduced loss: one number for all elements."""
    return {**alike(SIDES, shape), "grad_output": uniform((), 1, 3)}


smooth_l1_loss_backward.check(
    pointwise(PARTS, reduction=NONE, beta=1.0),
    grid("of a sum", **_one((37, 53)), reduction=SUM, beta=[2.0], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("of a mean", **_one((19, 31)), reduction=MEAN, beta=[1.0], dtypes=FLOATING),
    grid(
        "of a mean",
        **_one((2, 3, 5, 7)),
        reduction=MEAN,
        beta=[0.5, 2.0],
        dtypes=(fp32, fp64),
        layouts=ANY_LAYOUT[1:3],
    ),
    grid("of a sum, 0-d", **_one(()), reduction=[MEAN, SUM], beta=1.0, dtypes=(fp32,)),
    grid("of a sum, empty", **_one((0, 3)), reduction=[MEAN, SUM], beta=1.0, dtypes=(fp32,)),
    grid("of a mean, element by element", **alike(PARTS, (9, 57)), reduction=MEAN, beta=1.0, dtypes=FLOATING),
    grid(
        "beta", **alike(PARTS, (9, 57)), reduction=NONE, beta=[0.5, 2.0, 1 / 9, 7.5], dtypes=(*FLOATING, fp64)
    ),
    grid("beta of 0: the sign", **alike(PARTS, (9, 57)), reduction=NONE, beta=0.0, dtypes=(*FLOATING, fp64)),
    grid(
        "on the corners",
        **alike({"grad_output": Normal(), **STEPS}, (9, 57)),
        reduction=NONE,
        beta=[1.0, 2.0],
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "broadcast target",
        grad_output=normal((9, 57)),
        self=normal((9, 57)),
        target=normal((57,)),
        reduction=NONE,
        beta=1.0,
        dtypes=(fp32,),
    ),
    grid(
        "broadcast gradient",
        grad_output=normal((9, 1)),
        self=normal((9, 57)),
        target=normal((9, 57)),
        reduction=SUM,
        beta=1.0,
        dtypes=(fp32,),
    ),
    grid(
        "special values",
        grad_output=normal((9, 57)),
        self=sprinkle((9, 57)),
        target=integers((9, 57)),
        reduction=NONE,
        beta=1.0,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "special gradients",
        **{**alike(SIDES, (9, 57)), "grad_output": sprinkle((9, 57))},
        reduction=SUM,
        beta=2.0,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "nearly equal",
        grad_output=normal((5, 33)),
        self=uniform((5, 33), 1, 1.001),
        target=literally((33,), 1.0),
        reduction=NONE,
        beta=1.0,
        dtypes=(fp32, fp64),
    ),
)
smooth_l1_loss_backward.perf(
    grid(
        "PSMNet disparities of 256 x 512 crops, batch 96",
        **_one((96, 256, 512)),
        reduction=MEAN,
        beta=1.0,
        dtypes=(fp32,),
    ),
    weight=2,
)
smooth_l1_loss_backward.perf(
    grid(
        "SSD300 boxes, 8732 an image, batch 512",
        **_one((512, 8732, 4)),
        reduction=SUM,
        beta=1.0,
        dtypes=(fp32,),
    ),
    grid(
        "Faster R-CNN anchors at 800 x 1333, batch 16, beta 1/9",
        **_one((16, 267069, 4)),
        reduction=SUM,
        beta=1 / 9,
        dtypes=HALF,
    ),
    grid(
        "Depth Pro depths of 1536 x 1536, a weight for each, batch 8",
        **alike(PARTS, (8, 1, 1536, 1536)),
        reduction=NONE,
        beta=0.5,
        dtypes=(fp32,),
    ),
)
