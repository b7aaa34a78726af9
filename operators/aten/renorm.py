"""aten::renorm."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
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
    shapes,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _terms(call: Bound) -> int:
    shape = call["self"].shape
    return int(call["self"].numel() // max(1, shape[call["dim"]]))


@operator(
    "aten::renorm",
    # ATen rounds the factor to the output's type before it multiplies: half an ulp of the factor, which is up
    # to one of the product, and half an ulp of the product. A power and its root by exp2 and log2 (2 ulps
    # each in CUDA's and HIP's tables) shift the norm in float32 by what input_ulps covers.
    numeric=Reduction(ulps=2.0, input_ulps=4.0, terms=_terms, normalized=True),
)
def renorm(self: torch.Tensor, p: float, dim: int, maxnorm: float) -> torch.Tensor:
    """Scale every slice along `dim` whose p-norm exceeds maxnorm by maxnorm / (norm + 1e-7).

    A slice within the limit, or with NaN in it, is copied. `p` is above 0, inf included.
    """
    return torch.renorm(self, p, dim, maxnorm)


renorm.check(
    # Norms about 11: some slices are above 11 and scaled, the others are copied.
    grid(self=normal((41, 127)), p=2.0, dim=[0, -2], maxnorm=11.0, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(self=normal((127, 41)), p=2, dim=[1, -1], maxnorm=11.0, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("p", self=normal((7, 5, 11)), p=[0.5, 1.0, 1.5, 3.0], dim=[0, 1, 2], maxnorm=1.25, dtypes=(fp32,)),
    grid("p", self=normal((7, 5, 11)), p=[1, 3.0], dim=[1, -1], maxnorm=3, dtypes=(fp16, bf16, fp64)),
    grid("p is inf", self=normal((19, 31)), p=inf, dim=[0, 1], maxnorm=2.25, dtypes=(*FLOATING, fp64)),
    grid("odd", self=shapes((3, 1021), (1021, 3)), p=2.0, dim=[0, 1], maxnorm=20.0, dtypes=(fp32,)),
    grid("rank 6", self=normal((2, 3, 1, 5, 2, 3)), p=2.0, dim=[0, 3, -1], maxnorm=4.0, dtypes=(fp32,)),
    grid("rank 4", self=normal((2, 3, 5, 7)), p=1.0, dim=1, maxnorm=50.0, dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("size 1", self=shapes((1, 9), (9, 1), (1, 1)), p=2.0, dim=[0, 1], maxnorm=0.5, dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (5, 0), (2, 0, 3)), p=2.0, dim=[0, 1], maxnorm=1.0, dtypes=(fp32,)),
    grid(
        "all are scaled",
        self=uniform((9, 65), 1.0, 2.0),
        p=2.0,
        dim=0,
        maxnorm=0.75,
        dtypes=(*FLOATING, fp64),
    ),
    case("none is scaled", self=normal((9, 65), dtype=fp32), p=2.0, dim=0, maxnorm=1e6),
    case("maxnorm is 0", self=normal((9, 65), dtype=fp32), p=2.0, dim=0, maxnorm=0.0, telling=False),
    case(
        "a norm at the limit",
        self=literally((4, 2), 3.0, 4.0, 6.0, 8.0, dtype=fp32),
        p=2.0,
        dim=0,
        maxnorm=5.0,
    ),
    case(
        "zeros beside numbers",
        self=literally((3, 4), *[0.0] * 4, *range(1, 9), dtype=fp32),
        p=2.0,
        dim=0,
        maxnorm=2.0,
    ),
    case(
        "NaN in some slices", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), p=2.0, dim=0, maxnorm=3.0
    ),
    case("NaN and p is inf", self=sprinkle((32, 33), nan, dtype=fp32, share=0.02), p=inf, dim=0, maxnorm=1.5),
    case(
        "inf in some slices",
        self=sprinkle((32, 33), inf, -inf, dtype=fp32, share=0.02),
        p=2.0,
        dim=1,
        maxnorm=3.0,
    ),
    case(
        "squares overflow float16", self=normal((5, 70), 0.0, 900.0, dtype=fp16), p=2.0, dim=0, maxnorm=40.0
    ),
    case("a long slice", self=normal((2, 70_001), dtype=fp32), p=2.0, dim=0, maxnorm=100.0),
    grid(
        "1M elements",
        self=normal((1023, 1025)),
        p=[2.0, 1.0, 3.0, inf],
        dim=[0, 1],
        maxnorm=3.0,
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "few long slices",
        self=normal((3, 2_000_003)),
        p=2.0,
        dim=[0],
        maxnorm=7.0,
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
renorm.perf(
    grid(
        "GPT-2 token embedding, max_norm 1",
        self=normal((50257, 768)),
        p=2.0,
        dim=0,
        maxnorm=1.0,
        dtypes=(fp16, fp32),
    ),
    case("Llama-3-8B token embedding", self=normal((128256, 4096), dtype=bf16), p=2.0, dim=0, maxnorm=1.0),
    case(
        "DLRM table of 1 M rows, 128 wide, L1",
        self=normal((1_000_000, 128), dtype=fp32),
        p=1.0,
        dim=0,
        maxnorm=1.0,
    ),
    case(
        "ResNet-50 last 3x3, filters, batch 16",
        self=normal((16 * 512, 512 * 9), dtype=fp32),
        p=2.0,
        dim=0,
        maxnorm=2.0,
    ),
    case(
        "Llama-3-8B down projection by column",
        self=normal((4096, 14336), dtype=fp32),
        p=2.0,
        dim=1,
        maxnorm=3.0,
    ),
)
