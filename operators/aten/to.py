"""aten::to."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, MemoryFormat, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    OMIT,
    bf16,
    boolean,
    c64,
    c128,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i32,
    i64,
    integers,
    normal,
    shapes,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.copies import CHANNELS_LAST, CONVERSIONS, IMAGES
from kgb_operators.families import RANK_6, VIEWS

SAME = (fp16, bf16, i64, boolean, fp64, u8, c64)
FORMATS = [OMIT, MemoryFormat.PRESERVE, MemoryFormat.CONTIGUOUS]


# A computation: what changes its type is copied by a kernel. Where nothing changes, handing self back needs
# no launch, and a copy is as right.
@operator("aten::to", numeric=Exact(), work=Work.MOVEMENT, strides=Strides.EXACT)
def to(
    self: torch.Tensor,
    dtype: torch.dtype,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """`self` in another type: itself if it has that type and format, and no `copy` is wanted; else a copy."""
    converted: torch.Tensor = torch.ops.aten.to.dtype(self, dtype, non_blocking, copy, memory_format)
    return converted


to.check(
    grid(self=normal((37, 53)), dtype=fp32, dtypes=(fp16, bf16), layouts=ANY_LAYOUT),
    grid(self=normal((37, 53)), dtype=[fp16, bf16], dtypes=(fp32,), layouts=ANY_LAYOUT),
    *(grid(c.title, self=c.source, dtype=list(c.targets), dtypes=c.sources) for c in CONVERSIONS),
    grid("odd sizes", self=shapes((3, 5, 7), (1021,), RANK_6), dtype=[fp16, i32], dtypes=(fp32,)),
    grid("0-d, one element", self=normal((), 9.0), dtype=[fp16, fp64, i64], dtypes=(fp32,)),
    grid("one element", self=normal((1, 1), 9.0), dtype=[fp32, i32], dtypes=(fp16,)),
    grid("empty", self=shapes((0,), (3, 0)), dtype=[fp16, fp32, i64], dtypes=(fp32,)),
    grid("complex", self=normal((9, 31)), dtype=c128, dtypes=(c64,), layouts=ANY_LAYOUT[:3]),
    grid("complex", self=normal((9, 31)), dtype=c64, dtypes=(c128,)),
    grid(
        "a copy of the same type",
        self=normal((9, 14)),
        dtype=fp32,
        non_blocking=[False, True],
        copy=True,
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    *(grid("a copy of the same type", self=normal((9, 14)), dtype=d, copy=True, dtypes=(d,)) for d in SAME),
    grid(
        "memory format and type",
        self=normal(IMAGES),
        dtype=fp16,
        memory_format=[None, *FORMATS[1:], CHANNELS_LAST],
        dtypes=(fp32,),
        layouts=(Layout.CONTIGUOUS, Layout.CHANNELS_LAST, Layout.STRIDED),
    ),
    grid(
        "only the memory format",
        self=normal(IMAGES),
        dtype=fp32,
        memory_format=CHANNELS_LAST,
        dtypes=(fp32,),
        layouts=(Layout.CONTIGUOUS, *VIEWS),
    ),
    grid(
        "only the memory format",
        self=normal(IMAGES),
        dtype=fp32,
        memory_format=MemoryFormat.CONTIGUOUS,
        dtypes=(fp32,),
        layouts=(Layout.CHANNELS_LAST,),
    ),
    grid(
        "the type that it has",
        self=normal((9, 14)),
        dtype=fp32,
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
        telling=False,
    ),
    *(
        grid("the type that it has", self=normal((9, 14)), dtype=d, dtypes=(d,), telling=False)
        for d in SAME[:4]
    ),
    # ATen looks at the order of the strides only: a tensor with holes counts as row-major.
    grid(
        "the type and format that it has",
        self=normal((9, 14)),
        dtype=fp32,
        memory_format=[MemoryFormat.PRESERVE, MemoryFormat.CONTIGUOUS],
        dtypes=(fp32,),
        layouts=(Layout.CONTIGUOUS, Layout.STRIDED),
        telling=False,
    ),
    grid(
        "a million",
        self=normal((1_000_003,)),
        dtype=[fp32, fp16, i64],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
        copy=True,
    ),
    grid(
        "large",
        self=normal((1023, 1025)),
        dtype=[fp32, fp64],
        dtypes=(fp16, bf16),
        layouts=VIEWS,
        tier=Tier.STANDARD,
    ),
)
to.perf(
    case(
        "Llama-3-8B down projection, master weights to bf16",
        self=normal((4096, 14_336), dtype=fp32),
        dtype=bf16,
    ),
    weight=3,
)
to.perf(
    case("Llama-3-8B logits to fp32, 1024 tokens", self=normal((1024, 128_256), dtype=bf16), dtype=fp32),
    case(
        "BERT-large gradients to fp32, feed-forward of 24 layers",
        self=normal((24, 4096, 1024), dtype=fp16),
        dtype=fp32,
    ),
    case(
        "ImageNet images to fp16, batch 256", self=integers((256, 3, 224, 224), 0, 256, dtype=u8), dtype=fp16
    ),
    case(
        "DLRM indices to int64, 26 tables, batch 65536",
        self=integers((26, 65_536), 0, 10**6, dtype=i32),
        dtype=i64,
    ),
)
