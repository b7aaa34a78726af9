"""aten::fmax."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i32,
    i64,
    literally,
    nan,
    normal,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import (
    WHOLE_NUMBERS,
    Operands,
    binary,
    promoted,
    same_type,
    special_pairs,
)

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=-100, high=101))


@operator("aten::fmax", numeric=Exact())
def fmax(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The greater of self and other, broadcast, in the promoted type; NaN only where both are NaN."""
    return torch.fmax(self, other)


fmax.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (*WHOLE_NUMBERS, boolean)),
    promoted(
        WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (boolean, fp32), (fp32, fp64), (i64, fp32)
    ),
    special_pairs((*FLOATING, fp64)),
    grid("NaN on the left", self=sprinkle((9, 57), nan), other=normal((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("NaN on the right", self=normal((9, 57)), other=sprinkle((57,), nan), dtypes=(*FLOATING, fp64)),
    grid(
        "NaN here and there",
        self=sprinkle((9, 57), nan, share=0.5),
        other=sprinkle((9, 57), nan, share=0.5),
        dtypes=FLOATING,
    ),
    grid("a NaN of rank 0 changes nothing", self=literally((), nan), other=normal((9, 57)), dtypes=(fp32,)),
    case(
        "neighbours in int64",
        self=literally((4,), 2**52, 2**52 + 1, 2**31, -(2**31), dtype=i64),
        other=literally((4, 1), 2**52, 2**52 + 1, 2**31 - 1, -(2**31), dtype=i64),
    ),
    case(
        "extremes of int8",
        self=literally((3,), -128, 127, 0, dtype=i8),
        other=literally((2, 1), -128, 1, dtype=i8),
    ),
    case(
        "unsigned above 127",
        self=literally((4,), 0, 127, 128, 255, dtype=u8),
        other=literally((2, 1), 126, 200, dtype=u8),
    ),
)
fmax.perf(
    grid(
        "Llama-3-8B activations against running maxima of calibration, 8192 tokens",
        self=normal((8192, 4096)),
        other=normal((8192, 4096)),
        dtypes=HALF,
    ),
    weight=2,
)
fmax.perf(
    case(
        "ERA5 daily maximum over 721 x 1440 cells at 37 levels",
        self=normal((37, 721, 1440), dtype=fp32),
        other=normal((37, 721, 1440), dtype=fp32),
    ),
    case(
        "Sentinel-2 cloud-free composite, tile of 10980 x 10980, gaps are NaN",
        self=normal((10980, 10980), dtype=fp32),
        other=normal((10980, 10980), dtype=fp32),
    ),
    case(
        "GPT-2 vocabulary logits floored by a number a token, 2048 tokens",
        self=normal((2048, 50257), dtype=fp32),
        other=normal((2048, 1), dtype=fp32),
    ),
)
