"""aten::rsqrt."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Uniform
from kgb_core.operators.cases import (
    FLOATING,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i32,
    i64,
    integers,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import unary


# PTX's rsqrt.approx.f32 is off by up to 2 ** -22.9 of its value (PTX ISA), which is up to 2.1 ulps.
@operator("aten::rsqrt", numeric=Elementwise(ulps=2.5))
def rsqrt(self: torch.Tensor) -> torch.Tensor:
    """One over the root of every element; of negative ones NaN, of zero infinity; integers give floats."""
    return torch.rsqrt(self)


rsqrt.check(
    unary(FLOATING, Uniform(low=0.01, high=9)),
    grid("type", self=uniform((9, 57), 0.01, 9), dtypes=(fp64,)),
    grid("integers", self=integers((9, 57), 0, 100), dtypes=(i8, i32, i64, u8, boolean)),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    case("denormals", self=uniform((5, 33), 1e-41, 1e-38, dtype=fp32)),
    case("denormal halves", self=uniform((5, 33), 1e-7, 6e-5, dtype=fp16)),
    case("large", self=uniform((5, 33), 1e30, 3e38, dtype=fp32)),
    case("small", self=uniform((5, 33), 1e-37, 1e-30, dtype=fp32)),
    case("halves up to their largest", self=uniform((5, 33), 1, 65504, dtype=fp16)),
)
rsqrt.perf(
    case(
        "Adafactor second moments of GPT-2's token embedding",
        self=uniform((50257, 768), 1e-8, 1e-2, dtype=fp32),
    ),
    case(
        "StyleGAN pixel norm at 1024 x 1024, batch 16",
        self=uniform((16, 1, 1024, 1024), 0.1, 4, dtype=fp16),
    ),
    case(
        "graph normalisation of ogbn-papers100M, one degree a node",
        self=integers((111_059_956,), 1, 1000, dtype=fp32),
    ),
    case(
        "Adafactor second moments of a Llama-3-8B down projection",
        self=uniform((4096, 14336), 1e-8, 1e-2, dtype=fp32),
    ),
)
