"""aten::new_empty_strided."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    OMIT,
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
from kgb_core.operators.rules import MetadataOnly
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import DEVICE


@operator(
    "aten::new_empty_strided",
    numeric=MetadataOnly(),
    kind=Kind.UNINITIALISED,
    work=Work.FILLING,
    strides=Strides.EXACT,
    unread=("self",),
)
def new_empty_strided(
    self: torch.Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A tensor of these sizes and strides with undefined contents; `self` lends type and device."""
    return self.new_empty_strided(
        size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory
    )


ONE = normal((2, 3), dtype=fp32)

# The strides are what tells: most cases have some that no contiguous tensor has.
new_empty_strided.check(
    grid(
        "column-major",
        self=normal((2, 3)),
        size=[[7, 129]],
        stride=[[1, 7]],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid(
        "the type of self",
        self=integers((3,)),
        size=[[7, 129]],
        stride=[[1, 7]],
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid(
        "another type",
        self=ONE,
        size=[[5, 13]],
        stride=[[16, 1]],
        dtype=[fp16, bf16, fp64, i8, i64, boolean, c64],
    ),
    grid(
        "dtype left out",
        self=normal((4,)),
        size=[[4, 6]],
        stride=[[1, 4], [8, 1]],
        dtype=[None, OMIT],
        dtypes=(fp16, i32),
    ),
    grid(
        "every option given as its default",
        self=ONE,
        size=[[3, 5]],
        stride=[[1, 3]],
        dtype=[None, fp16],
        layout=None,
        pin_memory=[None, False],
    ),
    grid("on the device where self is", self=ONE, size=[[3, 5]], stride=[[1, 3]], device=[DEVICE, None]),
    grid("one memory for all rows", self=ONE, size=[[4, 9]], stride=[[0, 1], [0, 0]], dtype=[OMIT, i64]),
    grid("every second", self=normal((3,)), size=[[33]], stride=[[2]], dtypes=(fp16, fp32)),
    case("rows that overlap", self=ONE, size=[6, 8], stride=[3, 1]),
    case("dimensions in turned order", self=ONE, size=[2, 3, 5, 7], stride=[1, 2, 42, 6]),
    case("channels last", self=ONE, size=[2, 3, 5, 7], stride=[105, 1, 21, 3]),
    case("holes in each dimension", self=ONE, size=[2, 3, 4], stride=[50, 14, 3]),
    case("rank 6, reversed", self=ONE, size=[2, 3, 1, 2, 3, 2], stride=[1, 2, 6, 6, 12, 36]),
    case("contiguous", self=ONE, size=[8, 16, 4], stride=[64, 4, 1]),
    grid("0-d", self=shapes((), (5,)), size=[[]], stride=[[]], dtypes=(fp32,)),
    case("one element, any stride", self=ONE, size=[1, 1], stride=[99, 7]),
    grid("empty", self=ONE, size=[[0, 5], [5, 0]], stride=[[7, 1], [1, 5]], dtype=[OMIT, i64]),
    grid(
        "of 0-d, one element, nothing",
        self=shapes((), (1,), (0,), (3, 0)),
        size=[[4, 9]],
        stride=[[1, 4]],
        dtypes=(fp32,),
    ),
)
new_empty_strided.perf(
    case(
        "Llama-3-8B key cache, head-major, 8 sequences of 8192",
        self=normal((1,), dtype=bf16),
        size=[8, 8192, 8, 128],
        stride=[8_388_608, 128, 1_048_576, 1],
    ),
    case(
        "ResNet-50 activations after conv1, channels last, batch 256",
        self=normal((1,), dtype=fp16),
        size=[256, 64, 112, 112],
        stride=[802_816, 1, 7168, 64],
    ),
    case(
        "GPT-2 logits with rows padded to 50304, 1024 tokens",
        self=normal((1,), dtype=fp32),
        size=[1024, 50_257],
        stride=[50_304, 1],
    ),
)
