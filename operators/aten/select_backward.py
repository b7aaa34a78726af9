"""aten::select_backward."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    boolean,
    c64,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    normal,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator


# Most of the work is writing zeros, so a kernel may not have them written by `zeros`.
@operator("aten::select_backward", numeric=Exact(), work=Work.FILLING)
def select_backward(grad_output: torch.Tensor, input_sizes: list[int], dim: int, index: int) -> torch.Tensor:
    """Zeros of `input_sizes`, but for `grad_output` at `index` of dimension `dim`: `select`'s gradient."""
    found: torch.Tensor = torch.ops.aten.select_backward.default(grad_output, input_sizes, dim, index)
    return found


select_backward.check(
    grid(
        "before the first dimension",
        grad_output=normal((17, 33)),
        input_sizes=[[5, 17, 33]],
        dim=[0, -3],
        index=[0, 4, -1],
        dtypes=FLOATING,
    ),
    grid(
        grad_output=normal((17, 9)),
        input_sizes=[[17, 5, 9]],
        dim=1,
        index=[2, -5],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "behind the last dimension",
        grad_output=normal((17, 9)),
        input_sizes=[[17, 9, 5]],
        dim=[2, -1],
        index=[3, -2],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "of a vector",
        grad_output=normal(()),
        input_sizes=[[37]],
        dim=[0, -1],
        index=[11, -1],
        dtypes=FLOATING,
    ),
    grid(
        "of a matrix",
        grad_output=normal((29,), dtype=fp32),
        input_sizes=[[29, 3]],
        dim=1,
        index=[0, 1, 2],
    ),
    grid(
        "every element type",
        grad_output=integers((7, 11), 1, 120),
        input_sizes=[[7, 3, 11]],
        dim=1,
        index=-2,
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid(
        "rank 6, nothing merges",
        grad_output=normal((2, 3, 2, 3, 5), dtype=fp32, layout=Layout.STRIDED),
        input_sizes=[[2, 3, 2, 4, 3, 5]],
        dim=3,
        index=[0, -1],
    ),
    grid(
        "rank 6, at its ends",
        grad_output=normal((2, 3, 2, 3, 5), dtype=fp32, layout=Layout.TRANSPOSED),
        input_sizes=[[2, 3, 2, 3, 5, 4]],
        dim=5,
        index=[0, -1],
    ),
    grid(
        "NaN, Inf, -0.0",
        grad_output=sprinkle((9, 41)),
        input_sizes=[[9, 4, 41]],
        dim=1,
        index=1,
        dtypes=FLOATING,
    ),
    case(
        "a dimension of one: the gradient itself, copied",
        grad_output=normal((7, 9), dtype=fp32),
        input_sizes=[7, 1, 9],
        dim=1,
        index=0,
    ),
    case(
        "a slice wider than a block",
        grad_output=normal((9001,), dtype=fp16),
        input_sizes=[3, 9001],
        dim=0,
        index=1,
    ),
    grid(
        "empty",
        grad_output=normal((0, 5), dtype=fp32),
        input_sizes=[[0, 3, 5]],
        dim=1,
        index=[0, 2],
    ),
    grid(
        "1 M elements",
        grad_output=normal((1023, 205)),
        input_sizes=[[1023, 5, 205]],
        dim=1,
        index=3,
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        grad_output=normal((512,)),
        input_sizes=[[512, 512]],
        dim=[0, -1],
        index=[0, 256, -1],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
select_backward.perf(
    grid(
        "BERT-large pooler: the first of 512 tokens, batch 32",
        grad_output=normal((32, 1024)),
        input_sizes=[[32, 512, 1024]],
        dim=1,
        index=0,
        dtypes=(fp16, fp32),
    ),
    grid(
        "ViT-B/16 class token, 197 tokens, batch 256",
        grad_output=normal((256, 768)),
        input_sizes=[[256, 197, 768]],
        dim=1,
        index=0,
        dtypes=HALF,
    ),
)
select_backward.perf(
    case(
        "Swin-T queries of a window's query-key-value tensor, stage 1, batch 64",
        grad_output=normal((4096, 3, 49, 32), dtype=fp16),
        input_sizes=[3, 4096, 3, 49, 32],
        dim=0,
        index=0,
    ),
)
