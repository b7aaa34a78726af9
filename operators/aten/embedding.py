"""aten::embedding."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    INTEGER,
    bf16,
    boolean,
    c64,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    literally,
    normal,
    shapes,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator


@operator("aten::embedding", numeric=Exact(), work=Work.MOVEMENT, sparse=("weight",))
def embedding(
    weight: torch.Tensor,
    indices: torch.Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> torch.Tensor:
    """Rows of `weight` picked by `indices`; the three options concern the gradient only."""
    return torch.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)


embedding.check(
    grid(
        weight=shapes((31, 1), (37, 129), (67, 32)),
        indices=integers((5, 7), 0, 31, dtype=i64),
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "indices of every rank",
        weight=normal((23, 17), dtype=fp32),
        indices=[integers(s, 0, 23) for s in ((), (1,), (11,), (3, 1, 4), (2, 1, 3, 1, 2))],
        dtypes=INTEGER,
    ),
    grid(
        "indices in any layout",
        weight=normal((29, 19), dtype=fp16),
        indices=[integers((6, 7), 0, 29), integers((2, 3, 5), 0, 29)],
        dtypes=INTEGER,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "every element type",
        weight=integers((19, 33), 0, 120),
        indices=integers((21,), 0, 19, dtype=i64),
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid(
        "options of the gradient",
        weight=normal((13, 9), dtype=fp32),
        indices=integers((4, 8), 0, 13, dtype=i64),
        padding_idx=[0, 12, -1],
        scale_grad_by_freq=[False, True],
        sparse=[False, True],
    ),
    case(
        "every row of the table is the same memory",
        weight=normal((17, 65), dtype=fp32).model_copy(update={"layout": ANY_LAYOUT[-1]}),
        indices=integers((9,), 0, 17, dtype=i64),
    ),
    case("one entry many times", weight=normal((11, 40), dtype=fp16), indices=fill((33,), 7, dtype=i32)),
    case(
        "first and last entry",
        weight=normal((50, 24), dtype=fp32),
        indices=literally((6,), 49, 0, 0, 49, dtype=i64),
    ),
    case("a table of one entry", weight=normal((1, 33), dtype=fp32), indices=fill((5,), 0, dtype=i64)),
    case(
        "rows wider than a block",
        weight=normal((3, 9001), dtype=fp16),
        indices=literally((2,), 2, 0, dtype=i64),
    ),
    grid(
        "NaN, Inf, denormals",
        weight=sprinkle((9, 41)),
        indices=integers((12,), 0, 9, dtype=i64),
        dtypes=FLOATING,
    ),
    grid(
        "no indices",
        weight=normal((7, 5), dtype=fp32),
        indices=[integers((0,), 0, 7, dtype=i64), integers((3, 0), 0, 7, dtype=i32)],
    ),
    case("no width", weight=normal((7, 0), dtype=fp32), indices=integers((4,), 0, 7, dtype=i64)),
    case(
        "no entries, no indices", weight=normal((0, 5), dtype=fp32), indices=integers((0, 2), 0, 1, dtype=i64)
    ),
    grid(
        "1 M elements out",
        weight=normal((4096, 1023)),
        indices=integers((8, 129), 0, 4096, dtype=i64),
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    case(
        "entries beyond 2**31 elements",
        weight=uniform((66_000, 33_000), -100, 100, dtype=i8),
        indices=literally((5,), 65_999, 65_077, 0, 65_500, 1, dtype=i32),
        tier=Tier.FULL,
    ),
)
embedding.perf(
    grid(
        "Llama-3-8B tokens, vocabulary 128256, hidden 4096, 8 sequences of 2048",
        weight=normal((128_256, 4096)),
        indices=integers((8, 2048), 0, 128_256, dtype=i64),
        dtypes=HALF,
    ),
    weight=3,
)
embedding.perf(
    case(
        "DLRM of MLPerf on Criteo Terabyte, table 11 with 2953546 entries, batch 65536",
        weight=normal((2_953_546, 128), dtype=fp32),
        indices=integers((65_536,), 0, 2_953_546, dtype=i64),
    ),
    case(
        "DLRM of MLPerf on Criteo Terabyte, table 23 with 585935 entries, batch 65536",
        weight=normal((585_935, 128), dtype=fp16),
        indices=integers((65_536,), 0, 585_935, dtype=i32),
    ),
    weight=2,
)
embedding.perf(
    case(
        "Qwen2-7B tokens, vocabulary 152064, hidden 3584, 4 sequences of 4096",
        weight=normal((152_064, 3584), dtype=bf16),
        indices=integers((4, 4096), 0, 152_064, dtype=i64),
    ),
    case(
        "GPT-2 tokens, vocabulary 50257, hidden 768, 16 sequences of 1024",
        weight=normal((50_257, 768), dtype=fp32),
        indices=integers((16, 1024), 0, 50_257, dtype=i64),
    ),
    case(
        "BERT-base tokens, vocabulary 30522, hidden 768, 64 sequences of 512",
        weight=normal((30_522, 768), dtype=fp16),
        indices=integers((64, 512), 0, 30_522, dtype=i64),
    ),
)
