"""aten::new_ones."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    bf16,
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
    shapes,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import DEVICE, sized


@operator(
    "aten::new_ones",
    numeric=Exact(),
    kind=Kind.FACTORY,
    work=Work.FILLING,
    strides=Strides.EXACT,
    unread=("self",),
    constant=1.0,
)
def new_ones(
    self: torch.Tensor,
    size: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A contiguous tensor of ones; `self` lends its type and device where none is given, and nothing else."""
    return self.new_ones(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


new_ones.check(
    sized(bool_tells=False, self=normal((2, 3), dtype=fp32)),
    grid(
        "the type of self",
        self=integers((3, 5), 2, 99),
        size=[[7, 65]],
        dtypes=(fp16, bf16, fp64, i8, i16, i32, i64, u8, c64),
    ),
    grid("bool", self=integers((3, 5)), size=[[7, 65]], dtypes=(boolean,), telling=False),
    grid(
        "the layout of self does not count",
        self=normal((9, 14)),
        size=[[9, 14]],
        dtypes=(fp16, fp32),
        layouts=ANY_LAYOUT,
    ),
    case(
        "nor that of images",
        self=normal((2, 3, 5, 7), dtype=fp32, layout=Layout.CHANNELS_LAST),
        size=[2, 3, 5, 7],
    ),
    grid("of 0-d, one element, nothing", self=shapes((), (1,), (0,), (3, 0)), size=[[4, 9]], dtypes=(fp32,)),
    grid(
        "on the device where self is",
        self=normal((2, 3)),
        size=[[4, 9]],
        device=[DEVICE, None],
        dtypes=(fp32,),
    ),
)
new_ones.perf(
    case(
        "BERT-large attention mask, batch 8192, 512 tokens",
        self=integers((8192, 1), dtype=i64),
        size=[8192, 512],
    ),
    case(
        "Llama-3-8B causal mask before its triangle is cut, 8192 tokens",
        self=normal((1,), dtype=bf16),
        size=[8192, 8192],
    ),
    case(
        "GPT-2 hidden states, gradient to start from, batch 32",
        self=normal((1,), dtype=fp32),
        size=[32, 1024, 768],
    ),
    case(
        "ViT-B/16 attention weights before masking, batch 64",
        self=normal((1,), dtype=fp16),
        size=[64, 12, 197, 197],
    ),
)
