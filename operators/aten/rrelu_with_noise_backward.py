"""aten::rrelu_with_noise_backward."""

from __future__ import annotations

from typing import Any

from kgb_core.lazy import torch
from kgb_core.models.values import Normal, Uniform
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
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

PARTS: Parts = {"grad_output": Normal(), "self": Normal(), "noise": Uniform(low=0.125, high=1.1)}
BOUNDS: dict[str, Any] = {"lower": 0.125, "upper": 1 / 3, "self_is_result": False}
TRAINED: dict[str, Any] = {**BOUNDS, "training": True}
JUDGED: dict[str, Any] = {**BOUNDS, "training": False}


# One product; the mean slope is itself rounded, in half precision on some chips. In training the input is not
# needed, otherwise the noise is not.
@operator("aten::rrelu_with_noise_backward", numeric=Elementwise(ulps=2.0), unread=("self", "noise"))
def rrelu_with_noise_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: float,
    upper: float,
    training: bool,
    self_is_result: bool,
) -> torch.Tensor:
    """grad_output * noise in training; else grad_output, times (lower + upper) / 2 where self <= 0."""
    found: torch.Tensor = torch.ops.aten.rrelu_with_noise_backward(
        grad_output, self, noise, lower, upper, training, self_is_result
    )
    return found


rrelu_with_noise_backward.check(
    pointwise(PARTS, **TRAINED),
    pointwise(PARTS, **JUDGED),
    grid(
        "from the result",
        **alike(PARTS, (9, 57)),
        lower=0.1,
        upper=0.4,
        training=[True, False],
        self_is_result=True,
        dtypes=FLOATING,
    ),
    grid(
        "whole bounds",
        **alike(PARTS, (9, 57)),
        lower=0,
        upper=1,
        training=[True, False],
        self_is_result=False,
        dtypes=FLOATING,
    ),
    grid(
        "one bound",
        **alike(PARTS, (9, 57)),
        lower=0.25,
        upper=0.25,
        training=[True, False],
        self_is_result=False,
        dtypes=FLOATING,
    ),
    grid(
        "a negative slope",
        **alike(PARTS, (9, 57)),
        lower=-0.5,
        upper=-0.25,
        training=False,
        self_is_result=False,
        dtypes=(fp32,),
    ),
    grid(
        "special values",
        grad_output=normal((9, 57)),
        self=sprinkle((9, 57)),
        noise=uniform((9, 57), 0.1, 1),
        **JUDGED,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "special gradients",
        grad_output=sprinkle((9, 57)),
        self=normal((9, 57)),
        noise=uniform((9, 57), 0.1, 1),
        training=[True, False],
        **BOUNDS,
        dtypes=FLOATING,
    ),
    grid(
        "special noise",
        grad_output=normal((9, 57)),
        self=normal((9, 57)),
        noise=sprinkle((9, 57)),
        **TRAINED,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "zero is not positive",
        grad_output=normal((4, 5)),
        self=literally((4, 5), 0.0, -0.0, inf, -inf, nan),
        noise=uniform((4, 5), 0.1, 1),
        **JUDGED,
        dtypes=FLOATING,
    ),
)
rrelu_with_noise_backward.perf(
    grid(
        "NIN on CIFAR-100 (Xu et al. 2015), first block, batch 128",
        **alike(PARTS, (128, 192, 32, 32)),
        **TRAINED,
        dtypes=(*HALF, fp32),
    ),
    weight=2,
)
rrelu_with_noise_backward.perf(
    grid(
        "RE-GCN on ICEWS18, 23033 entities of 200, 10 time steps",
        **alike(PARTS, (10, 23033, 200)),
        **TRAINED,
        dtypes=(fp32,),
    ),
    grid(
        "VGG-16 with a randomised rectifier, first layer, batch 16",
        **alike(PARTS, (16, 64, 224, 224)),
        **TRAINED,
        dtypes=(fp16,),
    ),
    grid(
        "adversarial gradients through a judged NIN, batch 512",
        **alike(PARTS, (512, 192, 32, 32)),
        **JUDGED,
        dtypes=(fp16,),
    ),
)
