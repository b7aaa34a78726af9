"""aten::hardsigmoid."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal, Uniform
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
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


# A sum, a clamp and a division. A kernel may as well take x / 6 + 1 / 2, as PyTorch's manual writes it: near
# -3 that is off by as much as the rounding of x.
@operator("aten::hardsigmoid", numeric=Elementwise(ulps=2.0, input_ulps=1.0))
def hardsigmoid(self: torch.Tensor) -> torch.Tensor:
    """min(max(self + 3, 0), 6) / 6, of every element."""
    return torch.nn.functional.hardsigmoid(self)


hardsigmoid.check(
    unary(FLOATING, Normal(std=2), single=Uniform(low=-2, high=2)),
    grid("type", self=normal((9, 57), 0, 2), dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("around -3", self=uniform((9, 57), -3.01, -2.99), dtypes=(*FLOATING, fp64)),
    grid("around 3", self=uniform((9, 57), 2.5, 3.5), dtypes=(*FLOATING, fp64)),
    grid("the slope alone", self=uniform((9, 57), -3, 3), dtypes=(*FLOATING, fp64)),
    case("mostly flat", self=uniform((9, 57), -65504, 65504, dtype=fp16)),
    case("limits", self=literally((9,), inf, -inf, nan, 3.0, -3.0, 0.0, 3e38, -3e38, 1.5, dtype=fp32)),
)
hardsigmoid.perf(
    case("MobileNetV3-Large first layer, batch 128", self=normal((128, 16, 112, 112), dtype=fp16)),
    case("MobileNetV3-Large expansion at 28 x 28, batch 128", self=normal((128, 240, 28, 28), dtype=fp32)),
    case("MobileNetV3-Small squeeze-excite gates, batch 65536", self=normal((65_536, 576), dtype=fp16)),
    case("PP-LCNet stage 4, batch 256", self=normal((256, 256, 14, 14), 0, 2, dtype=bf16)),
)
