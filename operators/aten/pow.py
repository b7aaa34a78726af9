"""aten::pow."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal, Uniform
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
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, special_pairs

REALS = Operands(left=Uniform(low=0.05, high=4), right=Normal(std=2), second="exponent")
WHOLE = Operands(left=Integers(low=-5, high=6), right=Integers(low=2, high=6), second="exponent")
SPECIALS = (nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, -3.0, -0.25)


# CUDA's powf is right within 4 ulps (CUDA C++ Programming Guide, mathematical functions). A kernel may lose
# what the inputs' own rounding does on top; exp(y * log(x)) in float32 loses more for large powers.
@operator("aten::pow", numeric=Elementwise(ulps=4.0, input_ulps=2.0))
def pow(self: torch.Tensor | float, exponent: torch.Tensor | float) -> torch.Tensor:
    """self to the power of exponent, broadcast, in the promoted type; either may be a number."""
    return torch.pow(self, exponent)  # type: ignore[arg-type]


pow.check(
    binary(REALS, FLOATING),
    grid("type", **REALS.of((9, 57), (9, 57)), dtypes=(fp64,)),
    grid("type", **WHOLE.of((9, 57), (9, 57)), dtypes=(u8, i8, i32, i64)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (fp32, i64), (i8, i64)),
    special_pairs((*FLOATING, fp64), SPECIALS, WHOLE),
    grid(
        "exponent",
        self=normal((9, 57)),
        exponent=[2, 3, -1, -2, 4.0, 7, -3],
        dtypes=(fp16, fp32),
    ),
    grid("exponent", self=uniform((9, 57), 0.1, 9), exponent=[0.5, -0.5, 2.2, -1.7, 1 / 3], dtypes=FLOATING),
    grid("base", self=[10000.0, 0.37, 2, 1.0009765625], exponent=normal((9, 57), 0, 2), dtypes=(fp32, fp64)),
    case("exponent zero", self=sprinkle((9, 57), dtype=fp32), exponent=0, telling=False),
    grid("base", self=[10.0, 0.375], exponent=normal((9, 57)), dtypes=HALF),
)
pow.check(
    grid("exponent", self=integers((9, 57), -9, 10), exponent=[2, 3, 5, 2.5], dtypes=(i32, i64)),
    grid("exponent", self=integers((9, 57)), exponent=[2, 0.5], dtypes=(boolean, u8)),
    grid("base", self=[3, -2, 1.5], exponent=integers((9, 57), 0, 20), dtypes=(i32, i64)),
    case(
        "integers to negative powers",
        self=literally((6, 1), -2, -1, 0, 1, 2, 7, dtype=i64),
        exponent=literally((1, 5), -3, -2, -1, 2, 3, dtype=i64),
    ),
    grid(
        "integers that wrap, and exponents of all bits",
        self=literally((4, 1), -3, -1, 3, 7),
        exponent=literally((1, 4), 127, 64, 63, 20),
        dtypes=(i8, i32, i64),
    ),
    case(
        "large powers, to overflow and underflow",
        self=uniform((37, 53), 1e-3, 1e3, dtype=fp32),
        exponent=uniform((37, 53), -14, 14, dtype=fp32),
    ),
    case(
        "bases near one",
        self=normal((37, 53), 1, 1e-3, dtype=fp32),
        exponent=uniform((53,), -9e4, 9e4, dtype=fp32),
    ),
    grid("negative bases", self=normal((37, 53), -3), exponent=integers((53,), -9, 10), dtypes=FLOATING),
    case("denormal bases", self=uniform((5, 33), 1e-41, 1e-38, dtype=fp32), exponent=0.3125),
    case("large scalar exponent", self=uniform((9, 57), 0.5, 2, dtype=fp32), exponent=100.5),
    case("large scalar base", self=1e30, exponent=uniform((9, 57), -1.26, 1.26, dtype=fp32)),
)
pow.perf(
    grid(
        "Llama-3-8B RMSNorm squares, 8192 tokens", self=normal((8192, 4096)), exponent=2, dtypes=(fp32, bf16)
    ),
    weight=3,
)
pow.perf(
    case("GPT-2 GELU cubes, 32 sequences of 1024", self=normal((32768, 3072), dtype=fp16), exponent=3.0),
    case(
        "sRGB decoding of 16 frames of 1920 x 1080",
        self=uniform((16, 3, 1080, 1920), 0.09, 1, dtype=fp32),
        exponent=2.4,
    ),
    case(
        "GeM pooling with a learned exponent, ResNet-101 features of 64 images",
        self=uniform((64, 2048, 32, 32), 1e-6, 4, dtype=fp32),
        exponent=uniform((1,), 2.5, 3.5, dtype=fp32),
    ),
    case(
        "decibels to power, 64 spectrograms of 10 s at 44.1 kHz",
        self=10.0,
        exponent=uniform((64, 1025, 862), -8, 2, dtype=fp32),
    ),
)
