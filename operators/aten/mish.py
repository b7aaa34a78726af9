"""aten::mish."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal
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


# An exponential, a division and a product; the exponential of a large argument is off by as much as that
# argument's own rounding makes it.
@operator("aten::mish", numeric=Elementwise(ulps=3.0, input_ulps=2.0))
def mish(self: torch.Tensor) -> torch.Tensor:
    """Every element times tanh(log(1 + exp(it))); of -inf it is NaN."""
    return torch.nn.functional.mish(self)


mish.check(
    unary(FLOATING, Normal(std=2)),
    grid("type", self=normal((9, 57), 0, 2), dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("wide", self=uniform((37, 53), -80, 60), dtypes=(*FLOATING, fp64)),
    case("far below zero", self=uniform((5, 33), -87, -30, dtype=fp32)),
    case("above zero", self=uniform((5, 33), 1, 7, dtype=fp32)),
    case("where exp overflows", self=literally((6,), 88.8, 89.5, 3e38, 0.5, -0.5, -88.0, dtype=fp32)),
    grid("tiny", self=uniform((5, 33), -1e-6, 1e-6), dtypes=(fp32, fp64)),
    case("halves up to their largest", self=uniform((5, 33), -65504, 65504, dtype=fp16)),
    case("limits", self=literally((5,), inf, nan, 0.0, -0.0, -1.0, dtype=fp32)),
)
mish.perf(
    case(
        "YOLOv4 first layer at 608 x 608, batch 16",
        self=normal((16, 32, 608, 608), dtype=fp16),
    ),
    case("YOLOv4 second stage at 608 x 608, batch 16", self=normal((16, 64, 304, 304), dtype=fp32)),
    case("YOLOv4 third stage at 608 x 608, batch 32", self=normal((32, 128, 152, 152), dtype=bf16)),
    case(
        "diffusion policy U-Net, 1024 sequences, 512 channels of 64 steps",
        self=normal((1024, 512, 64), dtype=fp32),
    ),
)
