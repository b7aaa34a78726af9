"""aten::contiguous."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, MemoryFormat, Tier
from kgb_core.operators.cases import (
    FLOATING,
    boolean,
    c64,
    c128,
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
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.copies import CHANNELS_LAST, IMAGES, layout_turns
from kgb_operators.families import RANK_6, VIEWS

CONTIGUOUS = MemoryFormat.CONTIGUOUS
NOT_ROW_MAJOR = (*VIEWS, Layout.CHANNELS_LAST)


# A computation: most cases have something to move, and that is a kernel's work. Where the tensor lies in
# order already, handing it back needs no launch, and a copy is as right.
@operator("aten::contiguous", numeric=Exact(), work=Work.MOVEMENT, strides=Strides.EXACT)
def contiguous(self: torch.Tensor, *, memory_format: torch.memory_format | None = None) -> torch.Tensor:
    """`self` where it lies in the order of `memory_format`, row-major by default; else a copy that does."""
    return self.contiguous() if memory_format is None else self.contiguous(memory_format=memory_format)


contiguous.check(
    grid(self=normal((37, 53)), dtypes=FLOATING, layouts=VIEWS),
    grid("odd sizes", self=shapes((3, 5, 7), RANK_6), dtypes=(fp32,), layouts=VIEWS),
    grid("short rows", self=shapes((257, 3), (3, 257)), dtypes=(fp16, fp32), layouts=VIEWS),
    grid("vectors", self=normal((1021,)), dtypes=(fp16, fp32), layouts=VIEWS[1:]),
    grid("whole numbers", self=integers((9, 57), -128, 127), dtypes=(i8, i16, i32), layouts=VIEWS[:2]),
    grid("large whole numbers", self=integers((9, 57), -(2**62), 2**62), dtypes=(i64,), layouts=VIEWS),
    grid("bytes, bools", self=integers((9, 57), 0, 256), dtypes=(u8, boolean), layouts=VIEWS[:2]),
    grid("float64, complex", self=normal((9, 57)), dtypes=(fp64, c64, c128), layouts=VIEWS[:2]),
    grid("NaN, Inf, denormals", self=sprinkle((9, 57)), dtypes=(fp16, fp32, fp64), layouts=VIEWS[:1]),
    grid(
        "images to row-major",
        self=normal(IMAGES),
        memory_format=CONTIGUOUS,
        dtypes=FLOATING,
        layouts=NOT_ROW_MAJOR,
    ),
    grid(
        "images to channels last",
        self=normal(IMAGES),
        memory_format=CHANNELS_LAST,
        dtypes=FLOATING,
        layouts=(Layout.CONTIGUOUS, *VIEWS),
    ),
    # What lies in order comes back as it is.
    grid("in order", self=shapes((37, 53), IMAGES), dtypes=FLOATING, telling=False),
    grid("0-d", self=normal(()), dtypes=(fp32,), telling=False),
    grid("one row", self=normal((1, 9)), dtypes=(fp32,), layouts=(Layout.EXPANDED,), telling=False),
    grid("one column", self=normal((9, 1)), dtypes=(fp32,), layouts=(Layout.TRANSPOSED,), telling=False),
    grid(
        "images that are channels last",
        self=normal(IMAGES),
        memory_format=CHANNELS_LAST,
        dtypes=(fp32,),
        layouts=(Layout.CHANNELS_LAST,),
        telling=False,
    ),
    grid(
        "one channel: both orders at once",
        self=normal((2, 1, 5, 7)),
        memory_format=[CONTIGUOUS, CHANNELS_LAST],
        dtypes=(fp32,),
        telling=False,
    ),
    grid("empty", self=shapes((0,), (3, 0), (0, 5, 3)), dtypes=(fp32, i64)),
    grid("large", self=normal((1023, 1025)), dtypes=FLOATING, layouts=VIEWS, tier=Tier.STANDARD),
    grid(
        "large images",
        self=normal((16, 61, 57, 63)),
        dtypes=FLOATING,
        layouts=NOT_ROW_MAJOR,
        tier=Tier.STANDARD,
    ),
    grid("a million", self=normal((1_000_003,)), dtypes=FLOATING, layouts=VIEWS[1:2], tier=Tier.STANDARD),
)
contiguous.perf(
    layout_turns(),
    case(
        "ResNet-50 activations after conv1 to channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16),
        memory_format=CHANNELS_LAST,
    ),
    case(
        "Mixtral-8x7B hidden states by feature, 16384 tokens",
        self=normal((4096, 16_384), dtype=fp16, layout=Layout.TRANSPOSED),
    ),
)
