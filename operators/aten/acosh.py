"""aten::acosh."""

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


# A logarithm of a root, each right within about an ulp; CUDA's acoshf is off by up to 4. What is near one is
# exact, so nothing is allowed for the input: log(x + sqrt(x * x - 1)) taken literally is all error there.
@operator("aten::acosh", numeric=Elementwise(ulps=4.0))
def acosh(self: torch.Tensor) -> torch.Tensor:
    """The inverse hyperbolic cosine of every element, NaN below one; integers give floats."""
    return torch.acosh(self)


acosh.check(
    real_function(Uniform(low=1, high=10), Integers(low=1, high=100)),
    grid("just above one", self=uniform((9, 57), 1, 1.004), dtypes=(fp32, fp64)),
    grid("above and below one", self=uniform((9, 57), -3, 5), dtypes=(*FLOATING, fp64)),
    case("up to the largest half", self=uniform((9, 57), 1, 65504, dtype=fp16)),
    grid("where the square overflows", self=uniform((9, 57), 1e18, 3e38), dtypes=(bf16, fp32)),
    case("where the square overflows", self=uniform((9, 57), 1e150, 1e308, dtype=fp64)),
    case("limits", self=literally((6,), 1.0, 1.0000001192092896, inf, -inf, nan, 3e38, dtype=fp32)),
    case("below minus one, where x * x - 1 is positive", self=uniform((9, 57), -9, 2, dtype=fp32)),
)
acosh.perf(
    case(
        "MERU ViT-L/16 image-text distances on the hyperboloid, 4096 x 4096",
        self=uniform((4096, 4096), 1, 4, dtype=fp32),
    ),
    case(
        "Poincare embedding of the WordNet nouns, 743241 edges with 50 negatives",
        self=uniform((743_241, 51), 1, 30, dtype=fp32),
    ),
    case("Lorentz distances of 8192 queries to 8192 keys", self=uniform((8192, 8192), 1, 10, dtype=fp16)),
    case("Lorentz distances of 8192 queries to 8192 keys", self=uniform((8192, 8192), 1, 10, dtype=bf16)),
)
