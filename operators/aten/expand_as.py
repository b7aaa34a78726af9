"""aten::expand_as."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, grid, i64, integers, normal, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import large_looks, looks


@operator("aten::expand_as", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def expand_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """A view of the size of `other` in which dimensions of size 1, and new ones, repeat one memory.

    Of `other` nothing but the size counts: the type is that of `self`.
    """
    return self.expand_as(other)


expand_as.check(
    looks((7, 1, 33), other=[normal((7, 5, 33)), normal((2, 7, 3, 33))]),
    grid("a new dimension", self=normal((33,)), other=shapes((4, 33), (2, 3, 33)), dtypes=(fp16, fp32)),
    grid("rows", self=normal((9, 1)), other=shapes((9, 13), (2, 9, 4)), dtypes=(fp16, fp32)),
    grid(
        "of another type",
        self=normal((5, 1)),
        other=[normal((5, 8), dtype=fp32), integers((3, 5, 2), dtype=i64)],
        dtypes=(fp16, i64),
    ),
    case(
        "both laid out their own way",
        self=normal((1, 12), dtype=fp32, layout=Layout.STRIDED),
        other=normal((7, 12), dtype=fp32, layout=Layout.TRANSPOSED),
    ),
    case(
        "the other is expanded",
        self=normal((6, 1), dtype=fp16),
        other=normal((6, 9), dtype=fp16, layout=Layout.EXPANDED),
    ),
    grid("of the same size", self=normal((6, 11)), other=normal((6, 11)), dtypes=(fp32,)),
    grid("0-d", self=normal(()), other=shapes((), (1,), (3, 5)), dtypes=(fp16, fp32, i64)),
    grid("one element", self=normal((1, 1)), other=shapes((17, 19), (1, 1)), dtypes=(fp32,)),
    grid("to nothing", self=normal((1, 5)), other=shapes((0, 5), (0, 1, 5)), dtypes=(fp32,)),
    grid("empty", self=shapes((0,), (1, 0)), other=shapes((4, 0), (2, 3, 0)), dtypes=(fp32,)),
    case("rank 6", self=normal((2, 1, 3, 1, 1, 5), dtype=fp32), other=normal((2, 3, 3, 2, 1, 5), dtype=fp32)),
    large_looks((1023, 1, 257), other=normal((1023, 5, 257))),
)
expand_as.perf(
    case(
        "Llama-3-8B keys for four query heads each, 8192 tokens",
        self=normal((1, 8, 1, 8192, 128), dtype=bf16),
        other=normal((1, 8, 4, 8192, 128), dtype=bf16),
    ),
    case(
        "BERT-large attention mask of hidden states, batch 64, 512 tokens",
        self=normal((64, 512, 1), dtype=fp32),
        other=normal((64, 512, 1024), dtype=fp32),
    ),
    case(
        "Mixtral-8x7B expert indices over the hidden size, 16384 tokens",
        self=integers((16_384, 1), 0, 8, dtype=i64),
        other=normal((16_384, 4096), dtype=fp16),
    ),
)
