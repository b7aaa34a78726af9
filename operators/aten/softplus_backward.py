"""aten::softplus_backward."""

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

PARTS: Parts = {"grad_output": Normal(), "self": Normal(std=3)}


# An exponential, a division and products, as in sigmoid. Where beta * self is so near the threshold that
# float32 can't tell, either side is right.
@operator("aten::softplus_backward", numeric=Elementwise(ulps=3.0, input_ulps=3.0))
def softplus_backward(
    grad_output: torch.Tensor, self: torch.Tensor, beta: float, threshold: float
) -> torch.Tensor:
    """grad_output * sigmoid(beta * self), and grad_output itself where beta * self exceeds the threshold."""
    found: torch.Tensor = torch.ops.aten.softplus_backward(grad_output, self, beta, threshold)
    return found


softplus_backward.check(
    pointwise(PARTS, beta=1.0, threshold=20.0),
    grid("beta", **alike(PARTS, (9, 57)), beta=[0.5, 2.0, -1.5], threshold=[20, 10.0], dtypes=FLOATING),
    grid("whole numbers", **alike(PARTS, (9, 57)), beta=[1, 2], threshold=[20], dtypes=(fp32, fp64)),
    grid(
        "a low threshold",
        **alike(PARTS, (9, 57)),
        beta=[1.0, 0.75],
        threshold=[1.0, -0.5, 0.0],
        dtypes=(fp32, fp64),
    ),
    grid(
        "on the threshold",
        grad_output=normal((9, 57)),
        self=literally((9, 57), 0.5, 1.0, 1.5, 2.0),
        beta=2.0,
        threshold=2.0,
        dtypes=FLOATING,
    ),
    grid("beta of 0 halves", **alike(PARTS, (9, 57)), beta=0.0, threshold=20.0, dtypes=(fp32,)),
    grid(
        "wide",
        grad_output=normal((9, 57)),
        self=uniform((9, 57), -80, 80),
        beta=1.0,
        threshold=20.0,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "special values",
        grad_output=normal((9, 57)),
        self=sprinkle((9, 57)),
        beta=1.0,
        threshold=20.0,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "special gradients",
        grad_output=sprinkle((9, 57)),
        self=normal((9, 57)),
        beta=2.0,
        threshold=20.0,
        dtypes=(*FLOATING, fp64),
    ),
    case(
        "limits",
        grad_output=normal((7,), dtype=fp32),
        self=literally((7,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, dtype=fp32),
        beta=0.5,
        threshold=20.0,
    ),
    grid(
        "broadcast",
        grad_output=normal((1, 57)),
        self=normal((9, 57)),
        beta=1.0,
        threshold=20.0,
        dtypes=(fp32,),
    ),
    grid(
        "broadcast",
        grad_output=normal((9, 57)),
        self=normal((9, 1)),
        beta=1.0,
        threshold=20.0,
        dtypes=(fp32,),
    ),
    case(
        "promotion",
        grad_output=normal((9, 57), dtype=fp32),
        self=normal((9, 57), dtype=fp16),
        beta=1.0,
        threshold=20.0,
    ),
    case(
        "promotion",
        grad_output=normal((9, 57), dtype=fp32),
        self=normal((9, 57), dtype=fp64),
        beta=1.0,
        threshold=20.0,
    ),
)
softplus_backward.perf(
    grid(
        "Mamba-2.8B time steps, 2048 tokens, batch 8",
        **alike(PARTS, (8, 5120, 2048)),
        beta=1.0,
        threshold=20.0,
        dtypes=HALF,
    ),
    weight=2,
)
softplus_backward.perf(
    grid(
        "NeRF densities, 65536 rays of 192 samples",
        **alike(PARTS, (65536, 192)),
        beta=1.0,
        threshold=20.0,
        dtypes=(fp32,),
    ),
    grid(
        "NeuS hidden layers, 131072 points, beta 100",
        **alike(PARTS, (131072, 256)),
        beta=100.0,
        threshold=20.0,
        dtypes=(fp32,),
    ),
    grid(
        "Gated DeltaNet 1.3B decay, 16 heads, a million tokens",
        **alike(PARTS, (1_048_576, 16)),
        beta=1.0,
        threshold=20.0,
        dtypes=(fp32,),
    ),
)
