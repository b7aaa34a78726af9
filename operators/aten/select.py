"""aten::select."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, grid, i64, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::select", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def select(self: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    """A view of one index of a dimension, which is gone from the result; negative ones count from the end."""
    return torch.select(self, dim, index)


select.check(
    looks((7, 5, 33), dim=[1, -1], index=3),
    grid("a row, a column", self=normal((9, 14)), dim=[0, 1, -2], index=[0, 4, 8], dtypes=(fp16, fp32)),
    grid("from the end", self=normal((11, 13)), dim=[0, -1], index=[-1, -11, -4], dtypes=(fp32, i64)),
    grid("each of three", self=normal((5, 7, 6)), dim=[0, 1, 2, -3], index=[2, -2], dtypes=(fp32,)),
    grid("an element, 0-d", self=normal((65,)), dim=[0, -1], index=[0, 32, 64, -1], dtypes=(fp16, fp32)),
    grid("the only index", self=normal((1, 7)), dim=0, index=[0, -1], dtypes=(fp32, i64)),
    grid("the only element", self=normal((1,)), dim=0, index=0, dtypes=(fp16, fp32)),
    grid("empty", self=shapes((3, 0, 5), (4, 0)), dim=0, index=[0, -1], dtypes=(fp32,)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[3, -1, 0], index=1, dtypes=(fp32,)),
    case(
        "a channel of images",
        self=normal((2, 6, 4, 5), dtype=fp16, layout=Layout.CHANNELS_LAST),
        dim=1,
        index=4,
    ),
    large_looks((3, 1023, 257), dim=[0, 1, 2], index=2),
)
select.perf(
    case(
        "Llama-3-8B hidden state of the last token, batch 8, 4096 tokens",
        self=normal((8, 4096, 4096), dtype=bf16),
        dim=1,
        index=-1,
    ),
    case(
        "BERT-large class token for the pooler, batch 64, 512 tokens",
        self=normal((64, 512, 1024), dtype=fp16),
        dim=1,
        index=0,
    ),
    case(
        "ViT-B/16 queries of a fused projection, batch 64",
        self=normal((3, 64, 12, 197, 64), dtype=fp32),
        dim=0,
        index=0,
    ),
)
