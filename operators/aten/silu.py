"""aten::silu."""

from __future__ import annotations

from kgb_core.lazy import torch
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
from kgb_operators.families import unary


# An exponential, a division and a product, each right within about an ulp; the exponential of a large
# argument is off by as much as that argument's own rounding makes it.
@operator("aten::silu", numeric=Elementwise(ulps=3.0, input_ulps=2.0))
def silu(self: torch.Tensor) -> torch.Tensor:
    """self * sigmoid(self), of every element."""
    return torch.nn.functional.silu(self)


silu.check(
    unary(FLOATING),
    grid("type", self=normal((9, 57)), dtypes=(fp64,)),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("wide", self=uniform((37, 53), -80, 80), dtypes=(*FLOATING, fp64)),
    case("far below zero", self=uniform((5, 33), -87, -30, dtype=fp32)),
    case("above zero", self=uniform((5, 33), 1, 14, dtype=fp32)),
    case("tiny", self=uniform((5, 33), -1e-6, 1e-6, dtype=fp32)),
    case("halves up to their largest", self=uniform((5, 33), -65504, 65504, dtype=fp16)),
    case("limits", self=literally((7,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, dtype=fp32)),
)
silu.perf(
    grid("Llama-3-8B gated feed-forward, 8192 tokens", self=normal((8192, 14336)), dtypes=HALF),
    weight=3,
)
silu.perf(
    case("Stable Diffusion 1.5 image decoder at 512 x 512", self=normal((4, 128, 512, 512), dtype=fp16)),
    case("EfficientNet-B0 stage 2 expansion, batch 128", self=normal((128, 96, 112, 112), dtype=fp32)),
    case("YOLOv8-L first layer at 640 x 640, batch 16", self=normal((16, 64, 320, 320), dtype=fp16)),
)
