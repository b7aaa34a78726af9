"""aten::sub."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    OMIT,
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
    integers,
    normal,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=1, high=101))


# The bound is that of aten::add, which says where it comes from; so do the exact alphas of half precision.
@operator("aten::sub", numeric=Elementwise(ulps=2.0, input_ulps=3.0))
def sub(self: torch.Tensor | float, other: torch.Tensor | float, *, alpha: float = 1) -> torch.Tensor:
    """self - alpha * other, broadcast, in the promoted type; either may be a number, neither a bool."""
    return torch.sub(self, other, alpha=alpha)


sub.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i16, i32, i64, u8)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (fp32, i64), (i8, i64)),
    special_pairs(FLOATING),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[0.001, -0.999, 100.001, 2], dtypes=(fp32, fp64)),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[-0.5, 2], dtypes=HALF),
    grid("alpha", **WHOLE.of((9, 57), (57,)), alpha=[-3, 7], dtypes=(i8, u8, i64)),
    grid("number", self=normal((9, 57)), other=[-0.999, 3], alpha=[OMIT, -9.99], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[0.625, -96], alpha=[OMIT, -2], dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -0.5], dtypes=(u8, i64)),
    grid("number first", self=[-0.999, 7], other=normal((9, 57)), alpha=[OMIT, 0.3], dtypes=(fp32, fp64)),
    grid("number first", self=-1.25, other=normal((9, 57)), alpha=[OMIT, 0.5], dtypes=HALF),
    case(
        "64-bit integers",
        self=integers((7, 33), -(2**62), 2**62, dtype=i64),
        other=integers((7, 33), -(2**62), 2**62, dtype=i64),
    ),
    case(
        "unsigned below zero wraps",
        self=integers((7, 33), 0, 9, dtype=u8),
        other=integers((33,), 10, 99, dtype=u8),
    ),
    case(
        "nearly equal",
        self=normal((9, 57), 1, 1e-6, dtype=fp32),
        other=normal((9, 57), 1, 1e-6, dtype=fp32),
    ),
)
sub.perf(
    grid(
        "GPT-2 layer normalisation, 32 sequences of 1024 less their means",
        self=normal((32, 1024, 768)),
        other=normal((32, 1024, 1)),
        dtypes=(fp32, fp16),
    ),
    weight=2,
)
sub.perf(
    case(
        "ImageNet images less the mean of each channel, batch 256",
        self=normal((256, 3, 224, 224), dtype=fp32),
        other=uniform((3, 1, 1), 0.4, 0.5, dtype=fp32),
    ),
    case(
        "Stable Diffusion XL latents less the predicted noise, batch 64",
        self=normal((64, 4, 128, 128), dtype=fp16),
        other=normal((64, 4, 128, 128), dtype=fp16),
        alpha=0.5,
    ),
    case(
        "SGD step of a Llama-3-8B down projection",
        self=normal((4096, 14_336), dtype=bf16),
        other=normal((4096, 14_336), dtype=bf16),
        alpha=0.125,
    ),
)
