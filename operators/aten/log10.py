"""aten::log10."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Uniform
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
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import real_function


# A logarithm times a rounded constant. Near one the answer is near zero, and relative precision needs a
# logarithm that has it. NumPy's in float32, which the interpreter takes, is off by up to 4 ulps there, which
# may be 5 of the product; CUDA's log10f by 2.
@operator("aten::log10", numeric=Elementwise(ulps=5.0))
def log10(self: torch.Tensor) -> torch.Tensor:
    """The base-10 logarithm of every element; of negative ones NaN, of zero -inf; integers give floats."""
    return torch.log10(self)


log10.check(
    real_function(Uniform(low=0.01, high=9), Integers(low=0, high=101)),
    grid(
        "powers of ten",
        self=literally((9,), 0.001, 0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e-4),
        dtypes=(fp32, fp64),
    ),
    grid("near one", self=normal((9, 57), 1, 0.01), dtypes=(fp32, fp64)),
    case("large", self=uniform((9, 57), 1e30, 3e38, dtype=fp32)),
    case("small", self=uniform((9, 57), 1e-37, 1e-30, dtype=fp32)),
    case("denormals", self=uniform((9, 57), 1e-41, 1e-38, dtype=fp32)),
    case("denormal halves", self=uniform((9, 57), 1e-7, 6e-5, dtype=fp16)),
    case("halves up to their largest", self=uniform((9, 57), 1, 65504, dtype=fp16)),
    case("limits", self=literally((7,), inf, -inf, nan, 0.0, -0.0, -1.0, 3e38, dtype=fp32)),
)
log10.perf(
    case(
        "Whisper-large-v3 log-mel spectrograms, 128 bins, 3000 frames, batch 64",
        self=uniform((64, 128, 3000), 1e-10, 100, dtype=fp32),
    ),
    case(
        "decibels of 64 spectrograms of 10 s at 44.1 kHz",
        self=uniform((64, 1025, 862), 1e-8, 1e2, dtype=fp32),
    ),
    case("the same in half precision", self=uniform((64, 1025, 862), 1e-3, 1e3, dtype=fp16)),
    case(
        "AudioSet AST log-mel features, 128 x 1024, batch 256",
        self=uniform((256, 128, 1024), 1e-8, 1e2, dtype=bf16),
    ),
)
