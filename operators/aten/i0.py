"""aten::i0."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    integers,
    nan,
    normal,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import WHOLE_NUMBERS, unary


# exp(x) / sqrt(x) times a polynomial: the exponential of a large argument is off by as much as the argument's
# own rounding makes it. ATen gives NaN at the infinities (infinity over infinity), and overflows in float32
# from 88.7 on, where exp does, not from 91.9: cases stay away from both, where better answers exist.
@operator("aten::i0", numeric=Elementwise(ulps=5.0, input_ulps=2.0))
def i0(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of the first kind, order zero; integers give floats."""
    return torch.i0(self)


FINITE = (nan, 0.0, -0.0, 1e-40, -1e-40, 11.0, -11.0)

i0.check(
    unary(FLOATING, Normal(std=3)),
    grid("type", self=normal((9, 57), 0, 3), dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("integers", self=integers((9, 57), -20, 21), dtypes=(*WHOLE_NUMBERS[:-1], boolean)),
    case("integers", self=integers((9, 57), 0, 50, dtype=u8)),
    grid("special values", self=sprinkle((9, 57), *FINITE), dtypes=(*FLOATING, fp64)),
    grid("around 8, where the formulas change", self=uniform((9, 57), 7.9, 8.1), dtypes=(fp32, fp64)),
    grid("wide", self=uniform((37, 53), -88, 88), dtypes=(bf16, fp32, fp64)),
    case("up to the largest half", self=uniform((9, 57), -13, 13, dtype=fp16)),
    case("large in float64", self=uniform((9, 57), 300, 700, dtype=fp64)),
    grid("around zero", self=uniform((9, 57), -0.9, 0.9), dtypes=(fp32, fp64)),
)
i0.perf(
    case(
        "Rician likelihood of a Human Connectome diffusion scan, 145 x 174 x 145, 18 directions",
        self=uniform((18, 145, 174, 145), 0, 40, dtype=fp32),
    ),
    case(
        "von Mises likelihood of protein torsions, one million residues of 7 angles",
        self=uniform((1_000_000, 7), 0, 60, dtype=fp32),
    ),
    case("Kaiser windows of 4096 filters of 2049 taps", self=uniform((4096, 2049), 0, 14, dtype=fp16)),
    case(
        "Kaiser-Bessel gridding of 2 million k-space samples, 6 x 6",
        self=uniform((2_000_000, 36), 0, 14, dtype=bf16),
    ),
)
