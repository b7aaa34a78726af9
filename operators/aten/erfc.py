"""aten::erfc."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
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
    normal,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import real_function


# CUDA's erfcf is off by up to 4 ulps. A kernel that takes exp(-x * x) of the rounded square loses as much as
# the input's own rounding would; it may.
@operator("aten::erfc", numeric=Elementwise(ulps=4.0, input_ulps=1.0))
def erfc(self: torch.Tensor) -> torch.Tensor:
    """One minus the error function of every element; integers give floats."""
    return torch.erfc(self)


erfc.check(
    real_function(Normal(), Integers(low=-3, high=4)),
    grid("far out, where one minus erf is zero", self=uniform((37, 53), 3.9, 9), dtypes=(bf16, fp32)),
    case("far out in float64", self=uniform((37, 53), 5.9, 26, dtype=fp64)),
    case("far out in halves", self=uniform((9, 57), 1, 2.9, dtype=fp16)),
    grid("close to two", self=uniform((9, 57), -4, -1), dtypes=(*FLOATING, fp64)),
    grid("around zero", self=uniform((9, 57), -0.5, 0.5), dtypes=(*FLOATING, fp64)),
    case("limits", self=literally((9,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, 1e-40, 1.5, dtype=fp32)),
)
erfc.perf(
    case(
        "Ewald sum of the DHFR benchmark, 23558 atoms, 400 neighbours",
        self=uniform((23_558, 400), 0.1, 3.5, dtype=fp32),
    ),
    case(
        "Ewald sum of the STMV benchmark, 1066628 atoms, 100 neighbours",
        self=uniform((1_066_628, 100), 0.1, 3.5, dtype=fp32),
    ),
    case("normal tail probabilities of BERT-base activations", self=normal((32, 512, 3072), dtype=fp16)),
    case("normal tail probabilities of Llama-3-8B activations", self=normal((8192, 4096), dtype=bf16)),
)
