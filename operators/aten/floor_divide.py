"""aten::floor_divide."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    bf16,
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
from kgb_operators.families import WHOLE_NUMBERS, Operands, binary, promoted, same_type, special_pairs

REALS = Operands(left=Normal(std=30))
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=2, high=9))
SIGNED = Operands(left=Integers(low=-100, high=101), right=Integers(low=-9, high=-1))
CLEAR = Operands(left=Integers(low=-100, high=-19), right=Integers(low=7, high=10))
"""Quotients from -15 to -2, whole, or further from a whole number than half precision rounds."""


# As for aten::div: where a quotient is so near a whole number that float32 can't tell, both whole numbers are
# right. PyTorch rounds quotients to half precision before it rounds them down, on some chips; cases in half
# precision stay away from where that matters. Integers have one right answer; none are divided by zero, which
# raises on CPUs and is undefined elsewhere.
@operator("aten::floor_divide", numeric=Elementwise(ulps=1.0, input_ulps=2.0))
def floor_divide(self: torch.Tensor, other: torch.Tensor | float) -> torch.Tensor:
    """The largest whole number not above self / other, broadcast, in the promoted type.

    Floats follow Python: of infinity NaN, by infinity 0 or -1, by zero infinity or NaN.
    """
    return torch.floor_divide(self, other)


floor_divide.check(
    binary(CLEAR, FLOATING),
    grid(**REALS.of((19, 31), (19, 31)), dtypes=(fp32, fp64), layouts=ANY_LAYOUT),
    same_type(WHOLE, (fp64, *WHOLE_NUMBERS)),
    same_type(SIGNED, (fp32, i8, i16, i32, i64)),
    promoted(CLEAR, (fp16, fp32), (bf16, fp16), (i32, fp16), (fp32, i64), (i8, i64), (u8, i8), (i64, fp64)),
    special_pairs((fp32, fp64)),
    grid("number", self=normal((9, 57), 0, 30), other=[0.37, -0.999, 7, -112.5], dtypes=(fp32, fp64)),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -0.5, True], dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -3, -2.5], dtypes=(i8, i32, i64)),
    grid("number", self=integers((9, 57), 0, 256), other=[7, 200], dtypes=(u8,)),
    grid(
        "signs and remainders",
        self=literally((9, 1), -9, -8, -7, -1, 0, 1, 7, 8, 9),
        other=literally((1, 6), -8, -3, -1, 1, 3, 8),
        dtypes=(i8, i32, i64, fp16, fp32, fp64),
    ),
    case(
        "beyond what float32 and float64 hold",
        self=literally((5,), 2**53 - 1, -(2**53) + 1, 2**31, -(2**31) - 1, 16777217, dtype=i64),
        other=literally((5,), 3, 7, -5, 2, 16777216, dtype=i64),
    ),
    case("64-bit integers", self=integers((7, 33), -(2**52), 2**52, dtype=i64), other=2**31 + 1),
    case(
        "quotients that float32 rounds up to a whole number",
        self=literally((5, 1), 8388607.5, 9.999999, 0.99999994, 4194303.75, -1e-30, dtype=fp32),
        other=literally((1, 4), 1.0, 0.1, 0.3, -1.0, dtype=fp32),
    ),
    grid(
        "infinities and zeros",
        self=literally((6, 1), inf, -inf, 5.0, -5.0, 0.0, -1e-3),
        other=literally((1, 6), inf, -inf, 2.0, -2.0, 0.0, 1e4),
        dtypes=(*FLOATING, fp64),
    ),
)
floor_divide.perf(
    case(
        "vLLM slot mapping, 512 sequences of Llama-3.1's 131072 positions in blocks of 16",
        self=integers((512, 131072), 0, 131072, dtype=i32),
        other=16,
    ),
    weight=2,
)
floor_divide.perf(
    case(
        "DLRM-DCNv2 lookups to shards of 5 million rows, 65536 samples of 214",
        self=integers((65536, 214), 0, 40_000_000, dtype=i64),
        other=5_000_000,
    ),
    case(
        "nuScenes points to voxels of 0.1 m, 100 sweeps of 300,000",
        self=uniform((30_000_000, 3), -50, 50, dtype=fp32),
        other=literally((3,), 0.1, 0.1, 0.2, dtype=fp32),
    ),
    grid(
        "Llama-3-8B down projection, whole steps of a scale for each row",
        self=normal((4096, 14336), 0, 30),
        other=uniform((4096, 1), 0.5, 2),
        dtypes=HALF,
    ),
)
