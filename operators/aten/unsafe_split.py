"""aten::unsafe_split."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import OMIT, bf16, case, fp16, fp32, grid, i64, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::unsafe_split", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def unsafe_split(self: torch.Tensor, split_size: int, dim: int = 0) -> list[torch.Tensor]:
    """Parts of `split_size` indices of a dimension each, the last perhaps smaller, as views.

    Unsafe is only that autograd is not told that the parts share memory.
    """
    return list(torch.unsafe_split(self, split_size, dim))


unsafe_split.check(
    looks((12, 17), split_size=5, dim=[0, -1]),
    grid("dim left out", self=normal((9, 14)), split_size=[1, 4, 9], dim=OMIT, dtypes=(fp16, fp32)),
    grid("even parts", self=normal((8, 12)), split_size=4, dim=[0, 1, -2], dtypes=(fp32, i64)),
    grid("one index each", self=normal((3, 7)), split_size=1, dim=[0, 1], dtypes=(fp16, fp32)),
    grid("more than there is", self=normal((5, 7)), split_size=[7, 1000], dim=[0, 1], dtypes=(fp32,)),
    grid("vectors", self=normal((65,)), split_size=[2, 64], dim=[0, -1], dtypes=(fp16, fp32)),
    grid("each of three", self=normal((5, 7, 6)), split_size=3, dim=[0, 1, 2, -3], dtypes=(fp32,)),
    grid("one element", self=normal((1,)), split_size=[1, 2], dtypes=(fp32, i64)),
    grid("an empty dimension is one part", self=shapes((0, 5)), split_size=[0, 3], dim=0, dtypes=(fp32,)),
    grid("empty beside it", self=shapes((5, 0), (5, 0, 2)), split_size=2, dim=0, dtypes=(fp32, i64)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), split_size=2, dim=[3, -1], dtypes=(fp32,)),
    case(
        "the channels of images",
        self=normal((2, 7, 4, 5), dtype=fp16, layout=Layout.CHANNELS_LAST),
        split_size=3,
        dim=1,
    ),
    large_looks((1023, 1025), split_size=257, dim=[0, 1]),
)
unsafe_split.perf(
    case(
        "GPT-2 queries, keys and values of a fused projection, batch 8, 1024 tokens",
        self=normal((8, 1024, 2304), dtype=fp16),
        split_size=768,
        dim=2,
    ),
    case(
        "Llama-3-8B gate and up projection in one, 4096 tokens",
        self=normal((4096, 28_672), dtype=bf16),
        split_size=14_336,
        dim=-1,
    ),
    case(
        "ViT-B/16 batch of 256 in micro-batches of 32",
        self=normal((256, 197, 768), dtype=fp32),
        split_size=32,
    ),
)
