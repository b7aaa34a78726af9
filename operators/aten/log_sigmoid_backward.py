"""aten::log_sigmoid_backward."""

from __future__ import annotations

import math
from typing import Any

from kgb_core.lazy import torch
from kgb_core.models.values import Literally, Normal, Sprinkle, Uniform
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
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.losses import Parts, alike, pointwise


def _known(*points: float) -> dict[str, Any]:
    """What self holds, and the buffer that the forward operator makes of it."""
    decayed = tuple(math.exp(-abs(point)) for point in points)
    return {"self": Literally(values=points), "buffer": Literally(values=decayed)}


PARTS: Parts = {"grad_output": Normal(), **_known(*(i * 23 % 73 / 4 - 9 for i in range(73)))}
"""73 inputs from -9 to 9, which every floating type holds."""
SIGNS: Parts = {
    "grad_output": Normal(),
    "self": Sprinkle(base=Uniform(low=0.75, high=0.75), specials=(-0.75,), share=0.5),
    "buffer": Uniform(low=math.exp(-0.75), high=math.exp(-0.75)),
}
"""Random signs of one number, whose buffer is then the same everywhere: cheap to draw at any size."""


# An exponential, a division and a product. The buffer has been rounded once: a kernel that reads it and one
# that computes it again differ by half an ulp.
@operator("aten::log_sigmoid_backward", numeric=Elementwise(ulps=3.0, input_ulps=2.0), unread=("buffer",))
def log_sigmoid_backward(grad_output: torch.Tensor, self: torch.Tensor, buffer: torch.Tensor) -> torch.Tensor:
    """grad_output * sigmoid(-self); buffer holds exp(-abs(self)) from the forward operator.

    ATen reads the buffer on CPUs and computes it again on GPUs. Here it is always right, so both are.
    """
    found: torch.Tensor = torch.ops.aten.log_sigmoid_backward(grad_output, self, buffer)
    return found


log_sigmoid_backward.check(
    pointwise(PARTS),
    pointwise(SIGNS, (fp32,))[:4],
    grid(
        "wide", **alike({"grad_output": Normal(), **_known(*range(-80, 81, 5))}, (9, 57)), dtypes=(fp32, fp64)
    ),
    grid(
        "halves up to where exp vanishes",
        **alike({"grad_output": Normal(), **_known(*range(-16, 9, 2))}, (9, 57)),
        dtypes=(fp16,),
    ),
    grid(
        "tiny",
        **alike({"grad_output": Normal(), **_known(1e-6, -1e-6, 0.0, -0.0)}, (5, 33)),
        dtypes=(fp32, fp64),
    ),
    grid(
        "limits",
        grad_output=normal((5, 7)),
        self=literally((5, 7), inf, -inf, nan, 0.0, -0.0, 3.0, -3.0),
        buffer=literally((5, 7), 0.0, 0.0, nan, 1.0, 1.0, math.exp(-3), math.exp(-3)),
        dtypes=FLOATING,
    ),
    grid(
        "special gradients",
        **{**alike(PARTS, (9, 57)), "grad_output": sprinkle((9, 57))},
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "large gradients", **{**alike(PARTS, (9, 57)), "grad_output": normal((9, 57), 0, 3e4)}, dtypes=(fp32,)
    ),
)
log_sigmoid_backward.perf(
    grid("SigLIP pairs of images and texts, 8192 of each", **alike(SIGNS, (8192, 8192)), dtypes=(fp32,)),
    weight=2,
)
log_sigmoid_backward.perf(
    grid("GLA-1.3B forget gates, 8192 tokens, batch 4", **alike(SIGNS, (4, 8192, 1024)), dtypes=HALF),
    grid(
        "word2vec skip-grams, a million pairs with 15 negatives",
        **alike(SIGNS, (1_000_000, 16)),
        dtypes=(fp32,),
    ),
    grid("RotatE with 1024 negatives, batch 16384", **alike(SIGNS, (16384, 1024)), dtypes=(fp32,)),
)
