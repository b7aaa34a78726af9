"""aten::clone."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, MemoryFormat, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
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
from kgb_operators.copies import CHANNELS_LAST, IMAGES
from kgb_operators.families import RANK_6, unary

FORMATS = [MemoryFormat.PRESERVE, MemoryFormat.CONTIGUOUS]


@operator("aten::clone", numeric=Exact(), work=Work.MOVEMENT, strides=Strides.EXACT)
def clone(self: torch.Tensor, *, memory_format: torch.memory_format | None = None) -> torch.Tensor:
    """A copy in memory of its own, by default with the dimensions in the same order and without holes."""
    return torch.clone(self, memory_format=memory_format)


clone.check(
    unary(FLOATING),
    grid("whole numbers", self=integers((9, 57), -128, 127), dtypes=(i8, i16, i32), layouts=ANY_LAYOUT[:2]),
    grid("large whole numbers", self=integers((9, 57), -(2**62), 2**62), dtypes=(i64,), layouts=ANY_LAYOUT),
    grid("bytes, bools", self=integers((9, 57), 0, 256), dtypes=(u8, boolean), layouts=ANY_LAYOUT[:2]),
    grid("float64, complex", self=normal((9, 57)), dtypes=(fp64, c64, c128), layouts=ANY_LAYOUT[:3]),
    grid("NaN, Inf, denormals", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid(
        "memory format",
        self=shapes((7, 33), RANK_6),
        memory_format=FORMATS,
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "images",
        self=normal(IMAGES),
        memory_format=[None, *FORMATS, CHANNELS_LAST],
        dtypes=(fp16, fp32),
        layouts=(Layout.CONTIGUOUS, Layout.CHANNELS_LAST, Layout.STRIDED),
    ),
    grid("0-d", self=normal(()), memory_format=FORMATS, dtypes=(fp16, fp32, c64)),
    grid("empty images", self=shapes((0, 3, 5, 7)), memory_format=[*FORMATS, CHANNELS_LAST], dtypes=(fp32,)),
    grid(
        "large, in order",
        self=normal((1023, 1025)),
        memory_format=MemoryFormat.CONTIGUOUS,
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
)
clone.perf(
    case(
        "Llama-3-8B down projection, a copy for the optimizer",
        self=normal((4096, 14_336), dtype=bf16),
    ),
    weight=2,
)
clone.perf(
    case("GPT-2 hidden states, batch 32, 1024 tokens", self=normal((32, 1024, 768), dtype=fp32)),
    case(
        "Llama-3-8B keys transposed for the scores, 8 sequences of 2048",
        self=normal((8, 8, 128, 2048), dtype=fp16, layout=Layout.TRANSPOSED),
        memory_format=MemoryFormat.CONTIGUOUS,
    ),
    case(
        "ResNet-50 activations after conv1 to channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16),
        memory_format=CHANNELS_LAST,
    ),
    case(
        "BERT-large token types, batch 8192, 512 tokens",
        self=integers((8192, 512), 0, 2, dtype=i64),
    ),
)
