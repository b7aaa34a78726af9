"""aten::div."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
    boolean,
    case,
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
    literally,
    normal,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=2, high=9))
CLEAR = Operands(left=Integers(low=-100, high=101), right=Integers(low=7, high=10))
ROUNDED = ["trunc", "floor"]


# Triton's `/` on float32 is PTX's div.full on NVIDIA, right within 2 ulps. What the inputs may be off by
# covers it; where a quotient is so near a whole number that float32 can't tell, both whole numbers are right.
# PyTorch rounds quotients to half precision before it rounds them to whole numbers: cases in half precision
# stay away from those.
@operator("aten::div", numeric=Elementwise(ulps=1.0, input_ulps=2.0))
def div(
    self: torch.Tensor | float, other: torch.Tensor | float, *, rounding_mode: str | None = None
) -> torch.Tensor:
    """self / other, broadcast, in the promoted type; either may be a number.

    Integers give floats unless `rounding_mode` is "trunc" (towards zero) or "floor" (down).
    """
    return torch.div(self, other, rounding_mode=rounding_mode)


div.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i32, i64, u8)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (fp32, i64), (i8, i64)),
    special_pairs(FLOATING),
    grid("number", self=normal((9, 57)), other=[0.001, -0.999, 100.001, -112], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[0.625, -112], dtypes=HALF),
    grid("number", self=integers((9, 57), 2, 100), other=[7, -0.5], dtypes=(u8, i64, boolean)),
    grid("number first", self=[-0.999, 7], other=normal((9, 57)), dtypes=(fp32, fp64)),
    grid("number first", self=-96, other=normal((9, 57)), dtypes=HALF),
)
div.check(
    grid(
        self=normal((9, 57), 0, 30),
        other=normal((9, 57)),
        rounding_mode=ROUNDED,
        dtypes=(fp32, fp64),
        layouts=ANY_LAYOUT,
    ),
    grid("halves", **CLEAR.of((9, 57), (9, 57)), rounding_mode=ROUNDED, dtypes=HALF, layouts=ANY_LAYOUT[:2]),
    grid("broadcast", self=normal((19, 1), 0, 9), other=normal((31,)), rounding_mode=ROUNDED, dtypes=(fp32,)),
    grid("integers", **WHOLE.of((9, 57), (57,)), rounding_mode=ROUNDED, dtypes=(i8, i16, i32, i64, u8)),
    grid(
        "signs and remainders of integers",
        self=literally((9, 1), -9, -8, -7, -1, 0, 1, 7, 8, 9),
        other=literally((1, 6), -8, -3, -1, 1, 3, 8),
        rounding_mode=ROUNDED,
        dtypes=(i8, i64, fp32),
    ),
    grid(
        "beyond what float32 and float64 hold",
        self=literally((5,), 2**53 - 1, -(2**53) + 1, 2**31, -(2**31) - 1, 16777217, dtype=i64),
        other=literally((5,), 3, 7, -5, 2, 16777216, dtype=i64),
        rounding_mode=ROUNDED,
    ),
    grid("number", self=normal((9, 57), 0, 30), other=[-2.5, 7], rounding_mode=ROUNDED, dtypes=(fp32,)),
    grid("number", self=integers((9, 57), -100, 101), other=-7, rounding_mode=ROUNDED, dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -2.5], rounding_mode=ROUNDED, dtypes=(i64,)),
    grid("promoted", **CLEAR.typed(i32, fp16, (9, 57), (57,)), rounding_mode=ROUNDED),
    grid(
        "infinities and zeros",
        self=literally((6, 1), inf, -inf, 5.0, -5.0, 0.0, -1e-30, dtype=fp32),
        other=literally((1, 6), inf, -inf, 2.0, -2.0, 0.0, 1e30, dtype=fp32),
        rounding_mode=ROUNDED,
    ),
    grid("empty", self=normal((0, 3), dtype=fp32), other=2, rounding_mode=[OMIT, *ROUNDED]),
)
div.perf(
    grid(
        "BERT-base attention scores over the root of 64, 32 sequences of 512",
        self=normal((32, 12, 512, 512)),
        other=8.0,
        dtypes=HALF,
    ),
    weight=3,
)
div.perf(
    case(
        "CLIP ViT-B/32 image embeddings over their norms, a million",
        self=normal((1_000_000, 512), dtype=fp16),
        other=uniform((1_000_000, 1), 1, 20, dtype=fp16),
    ),
    case(
        "ImageNet images over the deviation of each channel, batch 256",
        self=normal((256, 3, 224, 224), dtype=fp32),
        other=uniform((3, 1, 1), 0.2, 0.3, dtype=fp32),
    ),
    case(
        "DLRM-DCNv2 lookups to shards of 5 million rows, 65536 samples of 214",
        self=integers((65536, 214), 0, 40_000_000, dtype=i64),
        other=5_000_000,
        rounding_mode="floor",
    ),
)
