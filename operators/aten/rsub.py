"""aten::rsub."""

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
from kgb_operators.families import VIEWS, Operands, binary, promoted, same_type, special_pairs

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=1, high=101))


# The bound is that of aten::add, which says where it comes from; so do the exact alphas of half precision.
@operator("aten::rsub", numeric=Elementwise(ulps=2.0, input_ulps=3.0))
def rsub(self: torch.Tensor, other: torch.Tensor | float, *, alpha: float = 1) -> torch.Tensor:
    """other - alpha * self, broadcast, in the promoted type; other may be a number, neither is a bool."""
    return torch.rsub(self, other, alpha=alpha)


rsub.check(
    binary(REALS, FLOATING),
    same_type(REALS, (fp64,)),
    same_type(WHOLE, (i8, i16, i32, i64, u8)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (fp32, i64), (i8, i64)),
    special_pairs(FLOATING),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[0.001, -0.999, 100.001, 2], dtypes=(fp32, fp64)),
    grid("alpha", **REALS.of((9, 57), (57,)), alpha=[-0.5, 2], dtypes=HALF),
    grid("alpha", **WHOLE.of((9, 57), (57,)), alpha=[-3, 7], dtypes=(i8, u8, i64)),
    grid("number", self=normal((9, 57)), other=[1, -0.999], alpha=[OMIT, -9.99], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[1, 0.625, -96], alpha=[OMIT, -2], dtypes=HALF),
    grid("number", self=integers((9, 57), -100, 101), other=[7, -0.5], dtypes=(u8, i64)),
    grid("number", self=normal((9, 57)), other=1, dtypes=(fp32,), layouts=VIEWS),
    grid("empty", self=normal((0, 3)), other=1, dtypes=(fp32,)),
    case(
        "64-bit integers",
        self=integers((7, 33), -(2**62), 2**62, dtype=i64),
        other=integers((7, 33), -(2**62), 2**62, dtype=i64),
    ),
    case(
        "unsigned below zero wraps",
        self=integers((7, 33), 10, 99, dtype=u8),
        other=integers((33,), 0, 9, dtype=u8),
    ),
)
rsub.perf(
    grid(
        "BERT-large attention mask, one minus it, 64 sequences of 512",
        self=uniform((64, 1, 512, 512)),
        other=1.0,
        dtypes=(fp32, fp16),
    ),
    weight=2,
)
rsub.perf(
    case(
        "GRU update gate of 8192 units, one minus it, 4096 steps",
        self=uniform((4096, 8192), dtype=fp16),
        other=1,
    ),
    case(
        "Glow dequantised CelebA-HQ, one minus it, batch 64",
        self=uniform((64, 3, 256, 256), dtype=fp32),
        other=1,
    ),
    case(
        "Mask R-CNN background of 100 masks of 800 x 1333",
        self=uniform((100, 800, 1333), dtype=bf16),
        other=1.0,
    ),
)
