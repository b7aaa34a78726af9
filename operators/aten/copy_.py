"""aten::copy_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
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
    i8,
    i16,
    i32,
    i64,
    integers,
    normal,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.copies import CONVERSIONS, IMAGES
from kgb_operators.families import RANK_6, VIEWS

WRITABLE = (Layout.TRANSPOSED, Layout.STRIDED, Layout.CHANNELS_LAST)


@operator(
    "aten::copy_",
    numeric=Exact(),
    work=Work.MOVEMENT,
    strides=Strides.EXACT,
    mutates=("self",),
    unread=("self",),
)
def copy_(self: torch.Tensor, src: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Overwrites `self` with the elements of `src`, broadcast to its size and converted to its type."""
    return self.copy_(src, non_blocking)


copy_.check(
    grid(self=normal((37, 53)), src=normal((37, 53)), dtypes=FLOATING, layouts=DENSE_LAYOUT),
    *(
        grid(
            "mixed layouts",
            self=normal((19, 31), dtype=fp32, layout=one),
            src=normal((19, 31)),
            dtypes=(fp16,),
            layouts=ANY_LAYOUT,
        )
        for one in WRITABLE[:2]
    ),
    *(
        grid(
            "images",
            self=normal(IMAGES, dtype=fp16, layout=one),
            src=normal(IMAGES),
            dtypes=(fp16,),
            layouts=(Layout.CONTIGUOUS, Layout.CHANNELS_LAST),
        )
        for one in WRITABLE
    ),
    *(
        grid(
            c.title, self=[normal(c.source.shape, dtype=d) for d in c.targets], src=c.source, dtypes=c.sources
        )
        for c in CONVERSIONS
    ),
    *(
        grid("broadcast", self=normal(whole), src=normal(part), dtypes=(fp16, fp32))
        for whole, part in (
            ((9, 13), (13,)),
            ((9, 13), (9, 1)),
            ((9, 13), ()),
            ((2, 3, 65), (3, 1)),
        )
    ),
    case("broadcast and converted", self=normal((7, 33), dtype=fp32), src=integers((7, 1), 1, 99, dtype=i64)),
    case(
        "broadcast into a view",
        self=normal((7, 33), dtype=fp32, layout=Layout.STRIDED),
        src=normal((33,), dtype=fp64),
    ),
    grid(
        "whole numbers",
        self=integers((9, 57), -8, 9),
        src=integers((9, 57), -128, 127),
        dtypes=(i8, i16, i32),
    ),
    grid(
        "large whole numbers",
        self=integers((9, 57)),
        src=integers((9, 57), -(2**62), 2**62),
        dtypes=(i64,),
        layouts=DENSE_LAYOUT,
    ),
    grid("bytes, bools", self=integers((9, 57), 0, 9), src=integers((9, 57), 0, 256), dtypes=(u8, boolean)),
    grid(
        "float64, complex",
        self=normal((9, 57)),
        src=normal((9, 57)),
        dtypes=(fp64, c64, c128),
        layouts=DENSE_LAYOUT,
    ),
    case("complex widens", self=normal((9, 31), dtype=c128), src=normal((31,), dtype=c64)),
    grid("NaN, Inf, denormals", self=normal((9, 57)), src=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("over NaN and Inf", self=sprinkle((9, 57)), src=normal((9, 57)), dtypes=(fp32,)),
    grid("0-d", self=normal(()), src=normal((), 9.0), dtypes=(fp16, fp32, i64)),
    grid("one element", self=normal((1, 1)), src=[normal((1,), 9.0), normal((), 9.0)], dtypes=(fp32,)),
    grid("rank 6", self=normal(RANK_6), src=normal(RANK_6), dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("short rows", self=normal((257, 3)), src=normal((257, 3)), dtypes=(fp32,), layouts=DENSE_LAYOUT[1:]),
    grid("empty", self=normal((3, 0)), src=[normal((3, 0)), normal((1,)), normal(())], dtypes=(fp32,)),
    grid(
        "blocking or not",
        self=normal((9, 14)),
        src=normal((9, 14)),
        non_blocking=[True, False, OMIT],
        dtypes=(fp32,),
    ),
    grid(
        "a million",
        self=normal((1_000_003,)),
        src=normal((1_000_003,), dtype=fp32),
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    grid(
        "large",
        self=normal((1023, 1025), dtype=fp32),
        src=normal((1023, 1025)),
        dtypes=FLOATING,
        layouts=VIEWS,
        tier=Tier.STANDARD,
    ),
    grid(
        "large, into views",
        self=normal((1023, 1025)),
        src=normal((1025,), dtype=fp32),
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
)
copy_.perf(
    case(
        "Llama-3-8B down projection, master weights into bf16",
        self=normal((4096, 14_336), dtype=bf16),
        src=normal((4096, 14_336), dtype=fp32),
    ),
    weight=2,
)
copy_.perf(
    case(
        "GPT-2 hidden states into a static buffer, batch 32, 1024 tokens",
        self=normal((32, 1024, 768), dtype=fp32),
        src=normal((32, 1024, 768), dtype=fp32),
    ),
    case(
        "Llama-3-8B keys into a head-major cache, 8 sequences of 2048",
        self=normal((8, 8, 2048, 128), dtype=fp16),
        src=normal((8, 8, 2048, 128), dtype=fp16, layout=Layout.TRANSPOSED),
    ),
    case(
        "ViT-B/16 position embeddings for a batch of 256",
        self=normal((256, 197, 768), dtype=fp32),
        src=normal((1, 197, 768), dtype=fp32),
    ),
)
