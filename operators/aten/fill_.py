"""aten::fill_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
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
    inf,
    integers,
    nan,
    normal,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.factories import in_place


@operator(
    "aten::fill_",
    numeric=Exact(),
    work=Work.FILLING,
    strides=Strides.EXACT,
    mutates=("self",),
    unread=("self",),
)
def fill_(self: torch.Tensor, value: float | torch.Tensor) -> torch.Tensor:
    """Overwrites every element of `self` with a number, or with the value of a 0-d tensor, converted."""
    return self.fill_(value)


WHOLE = (i8, i16, i32, i64, u8)

fill_.check(
    in_place(value=3.1415926),
    grid("whole numbers", self=integers((9, 57), 1, 99), value=100, dtypes=(*WHOLE, *FLOATING)),
    grid(
        "negative", self=integers((9, 57), 1, 99), value=-7, dtypes=(i8, i16, i32, i64), layouts=DENSE_LAYOUT
    ),
    grid("fractions towards zero", self=integers((5, 13), 7, 99), value=[3.75, -3.75], dtypes=(i8, i32, i64)),
    grid(
        "the ends of int64",
        self=integers((19,), 1, 99),
        value=[2**63 - 1, -(2**63), 2**53 + 1],
        dtypes=(i64,),
    ),
    grid("NaN and Inf", self=normal((3, 11)), value=[nan, inf, -inf], dtypes=(*FLOATING, fp64)),
    grid(
        "values that float32 would round", self=normal((17,)), value=[0.1, -1e300, 2**53 - 1], dtypes=(fp64,)
    ),
    grid("denormals", self=normal((29,)), value=[1e-40, -1.5e-45], dtypes=(fp32,)),
    grid("the ends of half", self=normal((29,)), value=[65504.0, -65504.0, 6e-8], dtypes=(fp16,)),
    grid("complex", self=normal((9, 57)), value=-2.5, dtypes=(c64, c128), layouts=DENSE_LAYOUT),
    grid("bool", self=integers((9, 57)), value=[True, False, 0.5, nan], dtypes=(boolean,), telling=False),
    grid(
        "the value of a tensor",
        self=normal((9, 57)),
        value=normal((), 5.0),
        dtypes=(*FLOATING, fp64),
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "of another type",
        self=normal((9, 57)),
        value=[fill((), 2.75, dtype=fp64), fill((), -3, dtype=i64), fill((), 5.5, dtype=fp16)],
        dtypes=(fp16, fp32, i32),
    ),
    grid(
        "large whole numbers in a tensor",
        self=integers((5, 7)),
        value=integers((), 2**60, 2**62),
        dtypes=(i64,),
    ),
    grid("a tensor of a complex number", self=normal((5, 7)), value=normal(()), dtypes=(c64,)),
)
fill_.perf(
    case("Llama-3-8B causal mask, 8192 tokens", self=normal((8192, 8192), dtype=bf16), value=-inf),
    case("GPT-2 logits of a filter, 1024 tokens", self=normal((1024, 50_257), dtype=fp32), value=-1e9),
    case(
        "ResNet-50 activations after conv1, channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16, layout=Layout.CHANNELS_LAST),
        value=0.5,
    ),
    case(
        "BERT-large labels to be ignored, batch 8192, 512 tokens",
        self=integers((8192, 512), dtype=i64),
        value=-100,
    ),
)
