"""aten::polygamma."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Uniform
from kgb_core.operators.cases import (
    FLOATING,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i32,
    i64,
    inf,
    literally,
    nan,
    normal,
    tensor,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import VIEWS, unary

POSITIVE = Uniform(low=0.1, high=5)
NEGATIVE = uniform((9, 57), -5.9, -0.05)
WHOLE = Integers(low=1, high=50)


# A sum of a dozen inverse powers of n + 1 factors each: about half an ulp a factor and a sum. Where the
# answer crosses zero, as digamma does at 1.46 and even derivatives do between their poles, parts cancel: what
# the input may be off by covers that. ATen's own faults keep cases away from the trigamma function in float64
# (its series ends at the term of x ** -7, right to nine digits) and at its poles (large instead of infinite),
# and from infinity for the second derivative on (NaN instead of 0).
@operator("aten::polygamma", numeric=Elementwise(ulps=6.0, input_ulps=8.0))
def polygamma(n: int, self: torch.Tensor) -> torch.Tensor:
    """Derivative number n of the digamma function of every element, for 0 the function itself.

    Integers give floats. At zero and the negative whole numbers it is infinite or, for n = 0, NaN.
    """
    return torch.polygamma(n, self)


polygamma.check(
    unary(FLOATING, POSITIVE, n=1),
    grid("order", n=[0, 2, 3], self=tensor((9, 57), POSITIVE), dtypes=(*FLOATING, fp64)),
    grid("order", n=[4, 6], self=tensor((9, 57), POSITIVE), dtypes=(fp32, fp64)),
    grid("layout", n=0, self=tensor((9, 57), POSITIVE), dtypes=(fp64,), layouts=VIEWS[:2]),
    grid("integers", n=2, self=tensor((9, 57), WHOLE), dtypes=(i8, i32, i64, u8, boolean)),
    grid("integers", n=0, self=tensor((9, 57), WHOLE), dtypes=(i64,)),
    grid("below zero", n=[0, 2, 3], self=NEGATIVE, dtypes=(fp32, fp64)),
    case("below zero, trigamma", n=1, self=NEGATIVE.model_copy(update={"dtype": fp32})),
    grid("large", n=[0, 1], self=uniform((9, 57), 100, 60000), dtypes=(fp16, fp32)),
    grid("large in float64", n=[0, 2], self=uniform((9, 57), 1e3, 1e6), dtypes=(fp64,)),
    grid("close to zero", n=[0, 1, 3], self=uniform((9, 57), 1e-6, 1e-3), dtypes=(fp32,)),
    grid("around the zero of digamma", n=0, self=uniform((9, 57), 1.3, 1.6), dtypes=(fp32, fp64)),
    grid("poles", n=[0, 2, 3], self=literally((6,), 0.0, -0.0, -1.0, -2.0, 0.5, 3.0), dtypes=(fp32, fp64)),
    grid("infinity and NaN", n=[0, 1], self=literally((4,), inf, nan, 0.5, 2.0), dtypes=FLOATING),
    grid("NaN", n=[2, 3], self=literally((3,), nan, 0.5, 2.0), dtypes=FLOATING),
    case("digamma below every pole", n=0, self=literally((3,), -inf, -2.5, 4.0, dtype=fp32)),
    grid("empty", n=[0, 2], self=normal((0, 3)), dtypes=(fp32,)),
)
polygamma.perf(
    case(
        "LDA of 100 topics over 1.6 million Wikipedia articles' tenth, expected log proportions",
        n=0,
        self=uniform((160_000, 100), 0.05, 50, dtype=fp32),
    ),
    case(
        "evidential classification of ImageNet, 8192 images of 1000 classes",
        n=0,
        self=uniform((8192, 1000), 1, 100, dtype=fp32),
    ),
    case(
        "Fisher information of the same Dirichlet distributions",
        n=1,
        self=uniform((8192, 1000), 1, 100, dtype=fp32),
    ),
    case(
        "scVI negative binomial, 4096 cells of 2000 genes",
        n=1,
        self=uniform((4096, 2000), 0.1, 60, dtype=fp16),
    ),
    case("the same, second derivative", n=2, self=uniform((4096, 2000), 0.1, 60, dtype=bf16)),
)
