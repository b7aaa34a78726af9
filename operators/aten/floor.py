"""aten::floor."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Uniform
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    literally,
    sprinkle,
    tensor,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import unary

HALVES = Uniform(low=-50, high=50)


@operator("aten::floor", numeric=Exact())
def floor(self: torch.Tensor) -> torch.Tensor:
    """The largest whole number not above each element; whole numbers stay as they are."""
    return torch.floor(self)


floor.check(
    unary(FLOATING, HALVES),
    grid("type", self=tensor((9, 57), HALVES), dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("whole numbers", self=integers((9, 57), -100, 101), dtypes=(i8, i16, i32, i64, u8)),
    grid("between -1 and 1", self=uniform((9, 57), -1, 1), dtypes=(*FLOATING, fp64)),
    grid(
        "next to whole numbers",
        self=literally((6,), 0.99999994, -1.0000001192092896, 8388607.5, -8388607.5, 2.9999998, -2.9999998),
        dtypes=(fp32, fp64),
    ),
    case(
        "beyond 32 and 64 bits",
        self=literally((6,), 2147483648.5, -2147483649.5, 1e19, -1e19, 1e300, 4503599627370495.5, dtype=fp64),
    ),
    case("beyond 32 bits", self=literally((6,), 3e9, -3e9, 1e19, -1e30, 0.5, -0.5, dtype=fp32)),
    case("whole numbers beyond float64", self=integers((9, 57), -(2**62), 2**62, dtype=i64)),
    case("large halves", self=uniform((9, 57), -2000, 2000, dtype=fp16)),
    case("denormals", self=literally((4,), 1e-40, -1e-40, 6e-42, -1e-38, dtype=fp32)),
)
floor.perf(
    case(
        "Instant-NGP hash-grid corners, 262144 points, 16 levels",
        self=uniform((262_144, 16, 3), 0, 2048, dtype=fp32),
    ),
    case(
        "RAFT bilinear lookups, 440 x 1024 at 1/8, 4 levels of 81, batch 8",
        self=uniform((8, 55, 128, 4, 81, 2), -8, 136, dtype=fp32),
    ),
    case(
        "fake quantisation of a Llama-3-8B down projection",
        self=uniform((4096, 14336), -128, 128, dtype=bf16),
    ),
    case(
        "fake quantisation of ResNet-50 stage 1, batch 64",
        self=uniform((64, 256, 56, 56), 0, 255, dtype=fp16),
    ),
)
