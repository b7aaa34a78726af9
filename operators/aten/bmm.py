"""aten::bmm."""

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
    return 2.0 * self.numel() * mat2.shape[2]


def _inner(call: Bound) -> int:
    return int(call["self"].shape[2])


# The numbers are aten::mm's.
@operator("aten::bmm", numeric=Product(terms=_inner, ulps=1.0, accumulation=2.0), flops=_flops)
def bmm(self: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    """self[i] @ mat2[i] for every i, in one floating type; float32 without TF32.

    With an inner size of 0 it is all zeros.
    """
    return torch.bmm(self, mat2)


def _sizes(
    *sizes: tuple[int, int, int, int],
    title: str = "",
    dtypes: tuple[DType, ...] = FLOATING,
    layouts: tuple[Layout, ...] = (Layout.CONTIGUOUS,),
    tier: Tier = Tier.SMOKE,
) -> list[Case]:
    """Normal matrices m x k and k x n, b of them, for every (b, m, k, n)."""
    return [
        made
        for b, m, k, n in sizes
        for made in grid(
            title, self=normal((b, m, k)), mat2=normal((b, k, n)), dtypes=dtypes, layouts=layouts, tier=tier
        )
    ]


_KEYS = normal((3, 33, 19), layout=Layout.TRANSPOSED)
_SHARED = normal((3, 33, 19), layout=Layout.EXPANDED)

bmm.check(
    _sizes((3, 17, 33, 19), layouts=ANY_LAYOUT),
    _sizes((1, 1, 32, 1), (1, 1, 1, 1), (2, 2, 3, 5), (7, 1, 40, 9), (7, 9, 40, 1)),
    _sizes((2, 31, 129, 29), (2, 65, 16, 40), (5, 3, 7, 70), title="odd and even tiles"),
    _sizes((2, 5, 7, 3), (2, 17, 19, 18), title="float64", dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("queries and transposed keys", self=normal((3, 17, 33)), mat2=_KEYS, dtypes=FLOATING),
    grid("one right matrix for all", self=normal((3, 17, 33)), mat2=_SHARED, dtypes=FLOATING),
    _sizes((0, 2, 5, 3), (2, 0, 5, 3), (2, 3, 5, 0), title="empty", dtypes=(fp32,)),
    grid(
        "nothing to add", self=normal((2, 3, 0)), mat2=normal((2, 0, 5)), dtypes=(fp16, fp32), telling=False
    ),
    grid("small whole numbers", self=integers((2, 9, 33)), mat2=integers((2, 33, 11)), dtypes=FLOATING),
    grid("of one sign", self=uniform((2, 9, 129)), mat2=uniform((2, 129, 11)), dtypes=FLOATING),
    case(
        "around float16's limit",
        self=uniform((2, 9, 97), 10, 41, dtype=fp16),
        mat2=uniform((2, 97, 11), 10, 41, dtype=fp16),
    ),
    case(
        "NaN in some rows",
        self=sprinkle((3, 17, 20), nan, dtype=fp32, share=0.005),
        mat2=normal((3, 20, 17), dtype=fp32),
    ),
    case(
        "NaN in some columns",
        self=normal((3, 9, 20), dtype=fp16),
        mat2=sprinkle((3, 20, 17), nan, dtype=fp16, share=0.005),
    ),
    case(
        "Inf on the left",
        self=sprinkle((3, 17, 20), inf, -inf, dtype=fp32, share=0.01),
        mat2=normal((3, 20, 17), dtype=fp32),
    ),
    case(
        "Inf where the tile ends",
        self=normal((2, 5, 33), dtype=fp16),
        mat2=sprinkle((2, 33, 3), inf, dtype=fp16, share=0.03),
    ),
    case(
        "of very different size",
        self=normal((2, 9, 65), 0, 1e4, dtype=fp32),
        mat2=normal((2, 65, 9), 0, 1e-4, dtype=fp32),
    ),
    _sizes((4, 255, 513, 257), (15, 160, 1024, 15), (3, 495, 71, 533), tier=Tier.STANDARD),
    _sizes((70_000, 3, 5, 2), title="more batches than a grid's second axis has", tier=Tier.STANDARD),
)
bmm.perf(
    grid(
        "Llama-3-8B attention scores, 2048 tokens: queries x keys",
        self=normal((32, 2048, 128)),
        mat2=normal((32, 128, 2048), layout=Layout.TRANSPOSED),
        dtypes=HALF,
    ),
    grid(
        "Llama-3-8B attention, 2048 tokens: weights x values",
        self=uniform((32, 2048, 2048)),
        mat2=normal((32, 2048, 128)),
        dtypes=HALF,
    ),
)
bmm.perf(
    case(
        "ViT-B/16 attention, batch 64: queries x keys",
        self=normal((768, 197, 64), dtype=fp16),
        mat2=normal((768, 64, 197), dtype=fp16, layout=Layout.TRANSPOSED),
    ),
    case(
        "BERT-large attention, batch 16: weights x values",
        self=uniform((256, 512, 512), dtype=fp32),
        mat2=normal((256, 512, 64), dtype=fp32),
    ),
)
