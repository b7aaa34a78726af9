"""aten::mul."""

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
    i16,
    i32,
    i64,
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
WHOLE = Operands(left=Integers(low=2, high=100), right=Integers(low=-100, high=-1))


# IEEE 754 rounds a product correctly: half an ulp. A number is rounded to float32 before: one more at most.
@operator("aten::mul", numeric=Elementwise(ulps=1.5))
def mul(self: torch.Tensor | float, other: torch.Tensor | float) -> torch.Tensor:
    """self * other, broadcast, in the promoted type; either may be a number."""
    return torch.mul(self, other)


mul.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i16, i32, i64, u8, boolean)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (fp32, i64), (i8, i64)),
    grid("bool times number", self=integers((9, 57)), other=[0.37, -3], dtypes=(boolean,)),
    special_pairs(FLOATING),
    grid("number", self=normal((9, 57)), other=[0.001, -0.999, 100.001, -112], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[0.625, -112], dtypes=HALF),
    grid("number", self=integers((9, 57), 2, 100), other=[7, -0.5], dtypes=(u8, i64)),
    grid("number first", self=[-0.999, 7], other=normal((9, 57)), dtypes=(fp32, fp64)),
    grid("number first", self=-96, other=normal((9, 57)), dtypes=HALF),
    case(
        "products beyond 32 bits, some beyond 64",
        self=integers((7, 33), -(2**40), 2**40, dtype=i64),
        other=literally((7, 33), 3, -4097, 1 << 33, dtype=i64),
    ),
    case(
        "overflow and underflow",
        self=literally((4,), 3e38, -1e-38, 1e-30, 3e-38, dtype=fp32),
        other=literally((4,), -2.0, 1e-6, 1e30, 0.1, dtype=fp32),
    ),
)
mul.perf(
    grid(
        "Llama-3-8B gated feed-forward, 8192 tokens",
        self=normal((8192, 14336)),
        other=normal((8192, 14336)),
        dtypes=HALF,
    ),
    weight=3,
)
mul.perf(
    case(
        "Llama-3-8B RMSNorm weight, 8192 tokens",
        self=normal((8192, 4096), dtype=bf16),
        other=normal((4096,), dtype=bf16),
    ),
    case(
        "SE-ResNet-50 channel weights of stage 1, batch 64",
        self=normal((64, 256, 56, 56), dtype=fp32),
        other=uniform((64, 256, 1, 1), dtype=fp32),
    ),
    case(
        "GPT-2 attention scores over the root of 64, 16 sequences of 1024",
        self=normal((16, 12, 1024, 1024), dtype=fp16),
        other=0.125,
    ),
)
