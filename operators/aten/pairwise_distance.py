"""aten::pairwise_distance."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.models.values import Integers
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    OMIT,
    bf16,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    i32,
    i64,
    inf,
    integers,
    nan,
    normal,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.families import VIEWS, Operands, promoted

PAIR = Operands(first="x1", second="x2")
WHOLE = Operands(left=Integers(), right=Integers(), first="x1", second="x2")


def _terms(call: Bound) -> int:
    sizes = [tensor.shape[-1] for _, tensor in call.tensors() if tensor.dim()]
    return int(max(sizes, default=1))


@operator(
    "aten::pairwise_distance",
    # ATen rounds x1 - x2 and then + eps to the promoted type before it sums: a half ulp of the inputs each,
    # which is what input_ulps covers, in half precision at most one ulp of the norm. A power and its root by
    # exp2 and log2 have 2 ulps each in CUDA's and HIP's tables.
    numeric=Reduction(ulps=3.0, input_ulps=4.0, terms=_terms, normalized=True),
)
def pairwise_distance(
    x1: torch.Tensor, x2: torch.Tensor, p: float = 2, eps: float = 1e-06, keepdim: bool = False
) -> torch.Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension, after broadcasting and promotion.

    `p` may be any number: 0 counts what is not zero, inf and -inf take the largest and smallest one.
    """
    return torch.pairwise_distance(x1, x2, p, eps, keepdim)


pairwise_distance.check(
    grid(**PAIR.of((37, 53), (37, 53)), dtypes=(*FLOATING, fp64), layouts=(*VIEWS,)),
    grid(**PAIR.of((37, 53), (37, 53)), keepdim=[True, False], dtypes=(*FLOATING, fp64)),
    grid(
        "p",
        **PAIR.of((9, 65), (9, 65)),
        p=[0.5, 1.0, 2, 3.0, -1.0, inf, -inf],
        eps=0.001,
        dtypes=(fp32, fp64),
    ),
    grid("p", **PAIR.of((9, 65), (9, 65)), p=[1.0, 3.0, inf], eps=[OMIT, 0.25], keepdim=True, dtypes=HALF),
    grid("p is 0: a count", **WHOLE.of((9, 65), (9, 65)), p=0.0, eps=[0.0, 1.0], dtypes=(i32, i64)),
    [
        made
        for pair in (
            ((5, 1, 33), (1, 7, 33)),
            ((33,), (6, 33)),
            ((6, 33), (33,)),
            ((4, 33), (4, 1)),
            ((3, 1, 5), (4, 1)),
        )
        for made in grid("broadcast", **PAIR.of(*pair), keepdim=[OMIT, True], dtypes=(fp32,))
    ],
    grid("one vector each", **PAIR.of((257,), (257,)), keepdim=[False, True], dtypes=(fp32, fp16)),
    grid("0-d", **PAIR.of((), ()), eps=0.5, dtypes=(fp32,)),
    grid("size 1", **PAIR.of((7, 1), (7, 1)), p=[2, 1.0, 3.0], eps=0.0, dtypes=(fp32,)),
    grid("rank 6", **PAIR.of((2, 3, 1, 5, 2, 7), (3, 4, 1, 2, 7)), dtypes=(fp32,)),
    grid("empty", **PAIR.of((0, 5), (0, 5)), dtypes=(fp32,)),
    grid("nothing to sum", **PAIR.of((5, 0), (5, 0)), dtypes=(fp32,), telling=False),
    promoted(PAIR, (fp16, fp32), (fp32, fp64), (bf16, fp16)),
    promoted(WHOLE, (i64, fp32), (i32, i64)),
    case(
        "the same", x1=fill((9, 65), 0.75, dtype=fp32), x2=fill((9, 65), 0.75, dtype=fp32), eps=0.125, p=1.0
    ),
    case(
        "eps decides", x1=integers((33, 5), 0, 2, dtype=fp32), x2=integers((33, 5), 0, 2, dtype=fp32), eps=0.5
    ),
    case(
        "close to one another",
        x1=uniform((9, 65), 100.0, 100.5, dtype=fp32),
        x2=fill((9, 65), 99.75, dtype=fp32),
    ),
    case(
        "NaN in some rows",
        x1=sprinkle((64, 33), nan, dtype=fp32, share=0.01),
        x2=normal((64, 33), dtype=fp32),
    ),
    grid(
        "NaN and inf",
        x1=sprinkle((64, 33), nan, inf, share=0.01),
        x2=normal((64, 33)),
        p=[inf, 1.0, 3.0],
        dtypes=(fp32,),
    ),
    case(
        "inf less inf",
        x1=sprinkle((64, 9), inf, share=0.05, dtype=fp32),
        x2=sprinkle((64, 9), inf, share=0.05, dtype=fp32),
    ),
    case("squares overflow float16", x1=normal((9, 65), 0, 900, dtype=fp16), x2=normal((9, 65), dtype=fp16)),
    case("a long row", x1=normal((2, 70_001), dtype=fp32), x2=normal((2, 70_001), dtype=fp32)),
    grid(
        "1M elements",
        **PAIR.of((1023, 1025), (1023, 1025)),
        p=[2, 1.0, 3.0, inf],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    grid("odd", **PAIR.of((1023, 1025), (1025,)), dtypes=FLOATING, layouts=VIEWS, tier=Tier.STANDARD),
)
pairwise_distance.perf(
    grid(
        "BERT-base sentence pairs for triplet loss, batch 32768",
        **PAIR.of((32768, 768), (32768, 768)),
        dtypes=(fp16, fp32),
    ),
    weight=2,
)
pairwise_distance.perf(
    case(
        "FaceNet triplets, 128-d, 1 M pairs",
        x1=normal((1 << 20, 128), dtype=fp32),
        x2=normal((1 << 20, 128), dtype=fp32),
    ),
    case(
        "ViT-B/16 patch features, L1",
        x1=normal((64, 197, 768), dtype=fp16),
        x2=normal((64, 197, 768), dtype=fp16),
        p=1.0,
    ),
    case(
        "CLIP ViT-L/14 query against 65536 images",
        x1=normal((768,), dtype=fp16),
        x2=normal((65536, 768), dtype=fp16),
    ),
    case(
        "Llama-3-8B hidden states, 8192 tokens",
        x1=normal((8192, 4096), dtype=bf16),
        x2=normal((8192, 4096), dtype=bf16),
    ),
)
