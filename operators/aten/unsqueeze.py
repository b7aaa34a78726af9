"""aten::unsqueeze."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, grid, i64, integers, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.families import RANK_6
from kgb_operators.views import large_looks, looks


@operator("aten::unsqueeze", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def unsqueeze(self: torch.Tensor, dim: int) -> torch.Tensor:
    """A view with one more dimension, of size 1, at `dim`; a negative one counts in the result."""
    return torch.unsqueeze(self, dim)


unsqueeze.check(
    looks((12, 17), dim=[0, 1, -1]),
    grid("every place", self=normal((9, 14)), dim=[2, -2, -3], dtypes=(fp16, fp32)),
    grid("1-d", self=normal((4,)), dim=[0, 1, -1, -2], dtypes=(fp16, fp32)),
    grid("0-d", self=normal(()), dim=[0, -1], dtypes=(fp16, fp32, i64)),
    grid("three dimensions", self=normal((8, 4, 2)), dim=[0, 2, 3, -1, -4], dtypes=(fp32,)),
    grid("one element", self=normal((1, 1)), dim=[0, 1, -1], dtypes=(fp32,)),
    grid("empty", self=shapes((0,), (3, 0, 5)), dim=[0, 1, -1], dtypes=(fp32,)),
    grid("to rank 6 and 7", self=shapes((2, 3, 2, 3, 2), RANK_6), dim=[3, -1], dtypes=(fp32,)),
    case("images", self=normal((2, 3, 4, 5), dtype=fp16, layout=Layout.CHANNELS_LAST), dim=2),
    large_looks((1023, 1025), dim=[0, 1, 2]),
)
unsqueeze.perf(
    case(
        "Llama-3-8B keys before they are repeated, 8192 tokens",
        self=normal((1, 8, 8192, 128), dtype=bf16),
        dim=2,
    ),
    case("BERT-large attention mask, batch 64, 512 tokens", self=normal((64, 512), dtype=fp16), dim=1),
    case("DLRM pooled embedding of one table, batch 65536", self=normal((65_536, 128), dtype=fp32), dim=1),
    case("GPT-2 positions, 1024 tokens", self=integers((1024,), 0, 1024, dtype=i64), dim=0),
)
