"""aten::expand."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import OMIT, bf16, case, fp16, fp32, grid, i64, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::expand", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def expand(self: torch.Tensor, size: Sequence[int], *, implicit: bool = False) -> torch.Tensor:
    """A view of this size in which dimensions of size 1, and new ones in front, repeat one memory.

    -1 keeps the size of a dimension. `implicit` only tells who asked, and changes nothing.
    """
    expanded: torch.Tensor = torch.ops.aten.expand.default(self, size, implicit=implicit)
    return expanded


expand.check(
    looks((7, 1, 33), size=[[7, 5, 33], [2, -1, 3, -1]]),
    grid("a new dimension", self=normal((33,)), size=[[4, 33], [2, 3, 33]], dtypes=(fp16, fp32)),
    grid("rows", self=normal((9, 1)), size=[[9, 13], [-1, 13], [2, 9, 4]], dtypes=(fp16, fp32)),
    grid(
        "both ends", self=normal((1, 5, 1)), size=[[3, 5, 4]], dtypes=(fp32, i64), layouts=(Layout.STRIDED,)
    ),
    grid("all kept", self=normal((6, 11)), size=[[-1, -1], [6, 11], [1, -1, 11]], dtypes=(fp32,)),
    grid("implicit", self=normal((5, 1)), size=[[5, 7]], implicit=[True, False, OMIT], dtypes=(fp32,)),
    grid("0-d", self=normal(()), size=[[], [1], [3, 5]], dtypes=(fp16, fp32, i64)),
    grid("one element", self=normal((1, 1)), size=[[17, 19], [1, 1]], dtypes=(fp32,)),
    grid("to nothing", self=normal((1, 5)), size=[[0, 5], [0, 1, 5]], dtypes=(fp32,)),
    grid("empty", self=shapes((0,), (1, 0)), size=[[4, 0], [3, -1]], dtypes=(fp32,)),
    case("rank 6", self=normal((2, 1, 3, 1, 1, 5), dtype=fp32), size=[2, 3, 3, 2, 1, 5]),
    case(
        "the channels of images",
        self=normal((2, 3, 1, 1), dtype=fp16, layout=Layout.CHANNELS_LAST),
        size=[2, 3, 4, 5],
    ),
    large_looks((1023, 1, 257), size=[[1023, 5, 257]]),
)
expand.perf(
    case(
        "Llama-3-8B keys for four query heads each, 8192 tokens",
        self=normal((1, 8, 1, 8192, 128), dtype=bf16),
        size=[1, 8, 4, 8192, 128],
    ),
    case(
        "BERT-large padding mask for all heads and rows, batch 64, 512 tokens",
        self=normal((64, 1, 1, 512), dtype=fp16),
        size=[64, 1, 512, 512],
    ),
    case(
        "ViT-B/16 class token, batch 256",
        self=normal((1, 1, 768), dtype=fp32),
        size=[256, -1, -1],
    ),
)
