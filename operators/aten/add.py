"""aten::add."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
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
    integers,
    normal,
    u8,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=1, high=101))


# alpha, a number in place of a tensor, and their product are each rounded once before the sum: three halves
# of an ulp of one term, which is many of the sum where the terms nearly cancel. With half precision the cases
# keep these three exact, since PyTorch rounds them to it on CPUs and not on GPUs.
@operator("aten::add", numeric=Elementwise(ulps=2.0, input_ulps=3.0))
def add(self: torch.Tensor | float, other: torch.Tensor | float, *, alpha: float = 1) -> torch.Tensor:
    """self + alpha * other, broadcast, in the promoted type; either may be a number."""
    return torch.add(self, other, alpha=alpha)


add.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i16, i32, i64, u8, boolean)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (boolean, fp32), (boolean, i64)),
    special_pairs(FLOATING),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[0.001, -0.999, 100.001, 2], dtypes=(fp32, fp64)),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[-0.5, 2], dtypes=HALF),
    grid("alpha", **WHOLE.of((9, 57), (57,)), alpha=[-3, 7], dtypes=(i8, i64)),
    grid("number", self=normal((9, 57)), other=[-0.999, 3, True], alpha=[OMIT, -9.99], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[0.625, -96], alpha=[OMIT, -2], dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -0.5], dtypes=(u8, i64, boolean)),
    grid("number first", self=[-0.999, 7], other=normal((9, 57)), alpha=[OMIT, 0.3], dtypes=(fp32, fp64)),
    grid("number first", self=-1.25, other=normal((9, 57)), alpha=[OMIT, 0.5], dtypes=HALF),
    case(
        "64-bit integers",
        self=integers((7, 33), -(2**52), 2**52, dtype=i64),
        other=integers((7, 33), -(2**52), 2**52, dtype=i64),
    ),
)
add.perf(
    grid(
        "Llama-3-8B residual connection, 8192 tokens",
        self=normal((8192, 4096)),
        other=normal((8192, 4096)),
        dtypes=HALF,
    ),
    weight=3,
)
add.perf(
    case(
        "BERT-large feed-forward bias, 32 sequences of 512",
        self=normal((16384, 4096), dtype=fp16),
        other=normal((4096,), dtype=fp16),
    ),
    case(
        "BERT-base attention mask, 16 sequences of 512",
        self=normal((16, 12, 512, 512), dtype=fp16),
        other=normal((16, 1, 1, 512), dtype=fp16),
    ),
    case(
        "ResNet-50 shortcut of stage 1, batch 128",
        self=normal((128, 256, 56, 56), dtype=fp32),
        other=normal((128, 256, 56, 56), dtype=fp32),
    ),
)
