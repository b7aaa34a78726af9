"""aten::cosh."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
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
from kgb_operators.families import real_function


# An exponential, right within 2 ulps, and its inverse; that of a large argument is off by as much as the
# argument's own rounding makes it. CUDA's coshf is off by up to 2 ulps. ATen's CPU kernel overflows where
# exp(x) does, half of which is still finite: no case lies between, which is 88.73 to 89.41 in float32.
@operator("aten::cosh", numeric=Elementwise(ulps=3.0, input_ulps=1.0))
def cosh(self: torch.Tensor) -> torch.Tensor:
    """The hyperbolic cosine of every element; integers give floats."""
    return torch.cosh(self)


cosh.check(
    real_function(Normal(std=2), Integers(low=-20, high=21)),
    grid("wide", self=uniform((37, 53), -80, 80), dtypes=(bf16, fp32, fp64)),
    case("up to the largest half", self=uniform((9, 57), -11.7, 11.7, dtype=fp16)),
    case("large in float64", self=uniform((9, 57), -709, 709, dtype=fp64)),
    case("overflow on both sides", self=sprinkle((9, 57), 90.0, -90.0, 120.0, -1e10, dtype=fp32)),
    case("large", self=uniform((9, 57), 60, 88.7, dtype=fp32)),
    case("limits", self=literally((7,), inf, -inf, nan, 0.0, 3e38, -3e38, 2.0, dtype=fp32)),
)
cosh.perf(
    case(
        "MERU ViT-L/16 embeddings onto the hyperboloid, 65536 x 512",
        self=normal((65_536, 512), dtype=fp32),
    ),
    case(
        "HGCN exponential map of the ogbn-products node features, 2449029 x 100",
        self=normal((2_449_029, 100), dtype=fp32),
    ),
    case("log-cosh loss of 64 depth maps of 480 x 640", self=normal((64, 1, 480, 640), 0, 3, dtype=fp16)),
    case(
        "log-cosh loss of a diffusion U-Net, batch 256 of 64 x 64", self=normal((256, 4, 64, 64), dtype=bf16)
    ),
)
