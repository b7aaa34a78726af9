"""aten::mm."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Product
from kgb_core.operators.spec import operator


def _flops(self: torch.Tensor, mat2: torch.Tensor) -> float:
    return 2.0 * self.shape[0] * self.shape[1] * mat2.shape[1]


def _inner(call: Bound) -> int:
    return int(call["self"].shape[1])


@operator(
    "aten::mm",
    # Rounded once to the output. 2.0 rather than the sum's 1.0: tensor cores cut off instead of rounding when
    # they accumulate, which is biased. TF32 in place of float32 still fails up to inner sizes of thousands.
    numeric=Product(terms=_inner, ulps=1.0, accumulation=2.0),
    flops=_flops,
)
def mm(self: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    """The matrix product self @ mat2 of two matrices of one floating type; float32 without TF32.

    With an inner size of 0 it is all zeros.
    """
    return torch.mm(self, mat2)


def _sizes(
    *sizes: tuple[int, int, int],
    title: str = "",
    dtypes: tuple[DType, ...] = FLOATING,
    layouts: tuple[Layout, ...] = (Layout.CONTIGUOUS,),
    tier: Tier = Tier.SMOKE,
) -> list[Case]:
    """Normal matrices m x k and k x n for every (m, k, n)."""
    return [
        made
        for m, k, n in sizes
        for made in grid(
            title, self=normal((m, k)), mat2=normal((k, n)), dtypes=dtypes, layouts=layouts, tier=tier
        )
    ]


_RIGHT_TRANSPOSED = normal((65, 33), layout=Layout.TRANSPOSED)
_LEFT_TRANSPOSED = normal((17, 65), layout=Layout.TRANSPOSED)

mm.check(
    _sizes((17, 65, 33), layouts=ANY_LAYOUT),
    _sizes((1, 32, 1), (1, 1, 1), (2, 3, 5), (1, 130, 40), (40, 130, 1)),
    _sizes((31, 257, 29), (64, 64, 64), (65, 16, 127), (5, 7, 300), title="odd and even tiles"),
    _sizes((5, 7, 3), (17, 33, 19), title="float64", dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("a weight as Linear keeps it", self=normal((17, 65)), mat2=_RIGHT_TRANSPOSED, dtypes=FLOATING),
    grid("the left one transposed", self=_LEFT_TRANSPOSED, mat2=normal((65, 33)), dtypes=FLOATING),
    _sizes((0, 5, 3), (3, 5, 0), title="empty", dtypes=(fp32,)),
    grid("nothing to add", self=normal((3, 0)), mat2=normal((0, 5)), dtypes=(fp16, fp32), telling=False),
    grid("small whole numbers", self=integers((9, 65)), mat2=integers((65, 11)), dtypes=FLOATING),
    grid("of one sign", self=uniform((9, 257)), mat2=uniform((257, 11)), dtypes=FLOATING),
    case(
        "around float16's limit",
        self=uniform((9, 97), 10, 41, dtype=fp16),
        mat2=uniform((97, 11), 10, 41, dtype=fp16),
    ),
    case(
        "partial sums beyond float16, the result within",
        self=uniform((4, 64), 100, 200, dtype=fp16),
        mat2=normal((64, 33), 0, 3, dtype=fp16),
    ),
    case(
        "NaN in some rows",
        self=sprinkle((33, 40), nan, dtype=fp32, share=0.005),
        mat2=normal((40, 17), dtype=fp32),
    ),
    case(
        "NaN in some columns",
        self=normal((17, 40), dtype=fp16),
        mat2=sprinkle((40, 33), nan, dtype=fp16, share=0.005),
    ),
    case(
        "Inf on the left",
        self=sprinkle((33, 40), inf, -inf, dtype=fp32, share=0.01),
        mat2=normal((40, 17), dtype=fp32),
    ),
    case(
        "Inf where the tile ends",
        self=normal((5, 33), dtype=fp16),
        mat2=sprinkle((33, 3), inf, dtype=fp16, share=0.03),
    ),
    case(
        "rows of very different size",
        self=normal((9, 65), 0, 1e4, dtype=fp32),
        mat2=normal((65, 9), 0, 1e-4, dtype=fp32),
    ),
    _sizes((1023, 1025, 511), (15, 1024, 160), (495, 71, 5333), tier=Tier.STANDARD),
    _sizes((257, 4099, 255), title="a long inner dimension", layouts=ANY_LAYOUT, tier=Tier.STANDARD),
)
mm.perf(
    grid(
        "Llama-3-8B feed-forward up projection, 2048 tokens",
        self=normal((2048, 4096)),
        mat2=normal((4096, 14336), layout=Layout.TRANSPOSED),
        dtypes=HALF,
    ),
    weight=3,
)
mm.perf(
    case(
        "Llama-3-8B query projection, 4096 tokens",
        self=normal((4096, 4096), dtype=fp16),
        mat2=normal((4096, 4096), dtype=fp16, layout=Layout.TRANSPOSED),
    ),
    case(
        "GPT-2 vocabulary projection, 1024 tokens",
        self=normal((1024, 768), dtype=fp16),
        mat2=normal((768, 50257), dtype=fp16, layout=Layout.TRANSPOSED),
    ),
    case(
        "BERT-base feed-forward, 8 x 512 tokens",
        self=normal((4096, 768), dtype=fp32),
        mat2=normal((768, 3072), dtype=fp32),
    ),
)
