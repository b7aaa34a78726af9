"""aten::narrow."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, grid, i64, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::narrow", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def narrow(self: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    """A view of `length` indices of one dimension, from `start` on; a negative start counts from the end."""
    return torch.narrow(self, dim, start, length)


narrow.check(
    looks((12, 17), dim=[0, -1], start=3, length=8),
    grid("from the start", self=normal((9, 14)), dim=[0, 1], start=0, length=[1, 4], dtypes=(fp16, fp32)),
    grid("up to the end", self=normal((9, 14)), dim=1, start=[9, -5], length=5, dtypes=(fp16, fp32)),
    grid("from the end", self=normal((11, 13)), dim=[0, -2], start=[-11, -4], length=3, dtypes=(fp32, i64)),
    grid("all of it", self=normal((6, 11)), dim=0, start=[0, -6], length=6, dtypes=(fp32,)),
    grid("1-d", self=normal((65,)), dim=[0, -1], start=[1, 32], length=[1, 33], dtypes=(fp16, fp32)),
    grid("one index", self=normal((1, 7)), dim=0, start=[0, -1], length=1, dtypes=(fp32,)),
    grid("nothing", self=normal((5, 7)), dim=1, start=[0, 3, 7, -1], length=0, dtypes=(fp32,)),
    grid("empty", self=shapes((0, 5), (5, 0)), dim=[0, 1], start=0, length=0, dtypes=(fp32,)),
    grid("empty beside it", self=normal((5, 0)), dim=0, start=2, length=3, dtypes=(fp32, i64)),
    grid("each of three", self=normal((5, 7, 6)), dim=[0, 1, 2, -3], start=2, length=3, dtypes=(fp32,)),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5)), dim=[3, -1], start=1, length=2, dtypes=(fp32,)),
    case(
        "the channels of images",
        self=normal((2, 6, 4, 5), dtype=fp16, layout=Layout.CHANNELS_LAST),
        dim=1,
        start=3,
        length=3,
    ),
    large_looks((1023, 1025), dim=[0, 1], start=255, length=513),
)
narrow.perf(
    case(
        "Llama-3-8B keys inside the fused projection, 8192 tokens",
        self=normal((8192, 6144), dtype=bf16),
        dim=-1,
        start=4096,
        length=1024,
    ),
    case(
        "GPT-2 key cache, 1000 of 1024 positions, batch 32",
        self=normal((32, 12, 1024, 64), dtype=fp16),
        dim=2,
        start=0,
        length=1000,
    ),
    case(
        "ViT-B/16 tokens without the class token, batch 256",
        self=normal((256, 197, 768), dtype=fp32),
        dim=1,
        start=1,
        length=196,
    ),
)
