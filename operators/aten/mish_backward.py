"""aten::mish_backward."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    literally,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.losses import Parts, alike, pointwise

PARTS: Parts = {"grad_output": Normal(), "self": Normal(std=2)}


# ATen's 1 - tanh(...) ** 2 has the rounding error of a tanh near 1, times an input of up to 9
# before it vanishes: about 14 half ulps of a slope of 1. The exponential has more of them far from zero. At
# -1.19 the slope changes its sign, and what the input may be off by counts most. In float64 the input can be
# 18 and the error twice that, in the golden value too: cases in float64 stay below 9.
@operator("aten::mish_backward", numeric=Elementwise(ulps=3.0, input_ulps=14.0))
def mish_backward(grad_output: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """grad_output times the slope of x * tanh(softplus(x)) at self; NaN where self is infinite."""
    found: torch.Tensor = torch.ops.aten.mish_backward(grad_output, self)
    return found


mish_backward.check(
    pointwise(PARTS),
    grid("wide", grad_output=normal((37, 53)), self=uniform((37, 53), -80, 80), dtypes=FLOATING),
    grid("wide", grad_output=normal((37, 53)), self=uniform((37, 53), -80, 8), dtypes=(fp64,)),
    grid("special values", grad_output=normal((9, 57)), self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("special gradients", grad_output=sprinkle((9, 57)), self=normal((9, 57)), dtypes=(*FLOATING, fp64)),
    case(
        "where the slope is 0",
        grad_output=normal((5, 33), dtype=fp32),
        self=uniform((5, 33), -1.2, -1.18, dtype=fp32),
    ),
    case(
        "far below zero", grad_output=normal((5, 33), dtype=fp32), self=uniform((5, 33), -80, -20, dtype=fp32)
    ),
    case(
        "far above zero", grad_output=normal((5, 33), dtype=fp32), self=uniform((5, 33), 20, 3e4, dtype=fp32)
    ),
    case("tiny", grad_output=normal((5, 33), dtype=fp32), self=uniform((5, 33), -1e-6, 1e-6, dtype=fp32)),
    case(
        "halves up to their largest",
        grad_output=normal((5, 33), dtype=fp16),
        self=uniform((5, 33), -65504, 65504, dtype=fp16),
    ),
    case(
        "limits",
        grad_output=normal((7,), dtype=fp32),
        self=literally((7,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, dtype=fp32),
    ),
    grid(
        "small gradients",
        grad_output=uniform((9, 57), -1e-30, 1e-30),
        self=normal((9, 57)),
        dtypes=(fp32, fp64),
    ),
)
mish_backward.perf(
    grid("YOLOv4 first layer at 608 x 608, batch 8", **alike(PARTS, (8, 32, 608, 608)), dtypes=HALF),
    weight=2,
)
mish_backward.perf(
    grid("YOLOv4 stage 1 at 608 x 608, batch 16", **alike(PARTS, (16, 64, 304, 304)), dtypes=(fp32,)),
    grid("ResNet-50 with mish, stage 1, batch 128", **alike(PARTS, (128, 256, 56, 56)), dtypes=(fp16,)),
    grid(
        "Diffusion Policy U-Net, 2048 channels, batch 1024", **alike(PARTS, (1024, 2048, 16)), dtypes=(fp32,)
    ),
)
