"""aten::zero_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    bf16,
    boolean,
    c64,
    c128,
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
    normal,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.factories import in_place


@operator(
    "aten::zero_",
    numeric=Exact(),
    work=Work.FILLING,
    strides=Strides.EXACT,
    mutates=("self",),
    unread=("self",),
    constant=0.0,
)
def zero_(self: torch.Tensor) -> torch.Tensor:
    """Overwrites every element of `self` with zero."""
    return self.zero_()


zero_.check(
    in_place(),
    grid(
        "whole numbers", self=integers((9, 57), 1, 127), dtypes=(i8, i16, i32, i64, u8), layouts=DENSE_LAYOUT
    ),
    grid("float64, complex", self=normal((9, 57)), dtypes=(fp64, c64, c128), layouts=DENSE_LAYOUT),
    grid("bool", self=fill((9, 57), True), dtypes=(boolean,)),
)
zero_.perf(
    case("Llama-3-8B down projection, gradient before a step", self=normal((4096, 14_336), dtype=bf16)),
    case("GPT-2 token embedding, gradient before a step", self=normal((50_257, 768), dtype=fp32)),
    case(
        "ResNet-50 activations after conv1, channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16, layout=Layout.CHANNELS_LAST),
    ),
    case("BERT-large token counts, batch 8192, 512 tokens", self=integers((8192, 512), 1, 9, dtype=i64)),
)
