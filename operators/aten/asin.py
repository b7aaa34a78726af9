"""aten::asin."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Uniform
from kgb_core.operators.cases import (
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
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import real_function


# CUDA's asinf is off by up to 2 ulps, a half more for rounding to the output.
@operator("aten::asin", numeric=Elementwise(ulps=2.5))
def asin(self: torch.Tensor) -> torch.Tensor:
    """The arc sine of every element, in radians, NaN beyond one; integers give floats."""
    return torch.asin(self)


asin.check(
    real_function(Uniform(low=-1, high=1), Integers(low=-1, high=2)),
    grid("within and beyond one", self=uniform((9, 57), -1.5, 1.5), dtypes=(*FLOATING, fp64)),
    grid("just below one", self=uniform((9, 57), 0.998, 1), dtypes=(fp32, fp64)),
    grid("just above minus one", self=uniform((9, 57), -1, -0.998), dtypes=(fp32, fp64)),
    grid("around a half", self=uniform((9, 57), 0.45, 0.55), dtypes=(fp32, fp64)),
    grid("tiny", self=literally((3,), 1e-30, -3e-20, 2e-5), dtypes=(fp32, fp64)),
    case(
        "limits", self=literally((8,), 1.0, -1.0, 0.5, -0.5, inf, -inf, nan, 1.0000001192092896, dtype=fp32)
    ),
)
asin.perf(
    case(
        "RangeNet++ pitch of every KITTI point, 64 scans of 131072",
        self=uniform((64, 131_072), -0.4, 0.1, dtype=fp32),
    ),
    case(
        "AMASS pitch angles of 24 SMPL joints, one million frames",
        self=uniform((1_000_000, 24), -1, 1, dtype=fp32),
    ),
    case(
        "360-degree panorama latitudes, 16 of 2048 x 1024", self=uniform((16, 1024, 2048), -1, 1, dtype=fp16)
    ),
    case(
        "ERA5 haversine distances, 721 x 1440 grid, 37 levels",
        self=uniform((37, 721, 1440), 0, 1, dtype=bf16),
    ),
)
