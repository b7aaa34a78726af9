"""aten::unsafe_split_with_sizes."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import OMIT, bf16, case, fp16, fp32, grid, i64, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::unsafe_split_with_sizes", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def unsafe_split_with_sizes(
    self: torch.Tensor, split_sizes: Sequence[int], dim: int = 0
) -> list[torch.Tensor]:
    """Parts of a dimension with these numbers of indices, one after another, as views.

    The sizes add up to the dimension. Unsafe is only that autograd is not told that the parts share memory.
    """
    return list(torch.unsafe_split_with_sizes(self, split_sizes, dim))


unsafe_split_with_sizes.check(
    looks((12, 12), split_sizes=[[5, 7], [3, 1, 8]], dim=-1),
    grid("rows", self=normal((9, 14)), split_sizes=[[2, 7], [9]], dim=[0, OMIT], dtypes=(fp16, fp32)),
    grid(
        "columns", self=normal((9, 14)), split_sizes=[[4, 10], [1, 12, 1]], dim=[1, -1], dtypes=(fp16, fp32)
    ),
    grid(
        "parts without indices",
        self=normal((5, 7)),
        split_sizes=[[0, 7], [3, 0, 4, 0]],
        dim=1,
        dtypes=(fp32, i64),
    ),
    grid("one index each", self=normal((3, 7)), split_sizes=[[1, 1, 1]], dim=[0, -2], dtypes=(fp16, fp32)),
    grid("vectors", self=normal((65,)), split_sizes=[[1, 64], [32, 33]], dim=[0, -1], dtypes=(fp16, fp32)),
    grid("each of three", self=normal((6, 6, 6)), split_sizes=[[1, 2, 3]], dim=[0, 1, 2, -3], dtypes=(fp32,)),
    grid("one element", self=normal((1,)), split_sizes=[[1], [0, 1]], dtypes=(fp32, i64)),
    grid("empty", self=shapes((0, 5), (0,)), split_sizes=[[0], [0, 0]], dim=0, dtypes=(fp32,)),
    grid("no part at all", self=shapes((0, 5)), split_sizes=[[]], dim=0, dtypes=(fp32,)),
    grid("empty beside it", self=normal((5, 0)), split_sizes=[[2, 3]], dim=0, dtypes=(fp32, i64)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), split_sizes=[[2, 1]], dim=[1, 3, -3], dtypes=(fp32,)),
    case(
        "the channels of images",
        self=normal((2, 7, 4, 5), dtype=fp16, layout=Layout.CHANNELS_LAST),
        split_sizes=[1, 4, 2],
        dim=1,
    ),
    large_looks((1023, 1025), split_sizes=[[256, 512, 257]], dim=1),
)
unsafe_split_with_sizes.perf(
    case(
        "Llama-3-8B queries, keys and values of a fused projection, 8192 tokens",
        self=normal((8192, 6144), dtype=bf16),
        split_sizes=[4096, 1024, 1024],
        dim=-1,
    ),
    case(
        "Qwen2-7B queries, keys and values of a fused projection, 8192 tokens",
        self=normal((8192, 4608), dtype=fp16),
        split_sizes=[3584, 512, 512],
        dim=-1,
    ),
    case(
        "ViT-B/16 class token and patches, batch 256",
        self=normal((256, 197, 768), dtype=fp32),
        split_sizes=[1, 196],
        dim=1,
    ),
)
