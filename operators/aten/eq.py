"""aten::eq."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    FLOATING,
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
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

FEW = Operands(left=Integers(low=0, high=3), right=Integers(low=0, high=3))
"""So few values that about a third of all pairs are equal: neither all True nor all False is right."""


@operator("aten::eq", numeric=Exact())
def eq(self: torch.Tensor, other: torch.Tensor | float) -> torch.Tensor:
    """True where self equals other, broadcast, compared in the promoted type; NaN equals nothing."""
    return torch.eq(self, other)


eq.check(
    binary(FEW, FLOATING, one_tells=False),
    same_type(FEW, (fp64, i8, i16, i32, i64, u8, boolean)),
    promoted(FEW, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (fp32, fp64), (i64, fp32)),
    special_pairs((*FLOATING, fp64)),
    grid("number", self=integers((9, 57), 0, 3), other=[1, 2.0, True], dtypes=(*FLOATING, i64, u8)),
    case("bools and integers", **FEW.typed(boolean, i64, (9, 57), (9, 57))),
    case("number, of bools", self=integers((9, 57), dtype=boolean), other=0),
    case("number, of float32 and integers", self=integers((9, 57), 0, 3, dtype=i32), other=1.0),
    case("NaN and others", self=sprinkle((9, 57), float("nan"), 0.5, dtype=fp32), other=0.5),
    case(
        "neighbours in float32",
        self=literally((4,), 1.0, 1.0000001192092896, 0.5, 3.0, dtype=fp32),
        other=literally((2, 1), 1.0, 1.0000001192092896, dtype=fp32),
    ),
    case(
        "neighbours in int64",
        self=literally((4,), 2**52, 2**52 + 1, 2**31, -(2**31), dtype=i64),
        other=literally((4, 1), 2**52, 2**52 + 1, 2**31 - 1, -(2**31), dtype=i64),
    ),
    case(
        "neighbours in int64 that are one in float32",
        self=literally((3,), 16777216, 16777217, 16777218, dtype=i64),
        other=literally((2, 1), 16777216.0, 16777218.0, dtype=fp32),
    ),
    case(
        "float64 of rank 0 is rounded to float32 first",
        self=literally((3,), 1.0, 1.0000001192092896, 0.1, dtype=fp32),
        other=literally((), 0.1, dtype=fp64),
    ),
)
eq.perf(
    case(
        "document mask of packed sequences, 8 of 4096",
        self=integers((8, 4096, 1), 0, 12, dtype=i32),
        other=integers((8, 1, 4096), 0, 12, dtype=i32),
    ),
    case(
        "BERT padding mask, 32768 sequences of 512",
        self=integers((32768, 512), 0, 4, dtype=i64),
        other=0,
    ),
    case(
        "Cityscapes predictions against labels, 32 images of 1024 x 2048",
        self=integers((32, 1024, 2048), 0, 19, dtype=u8),
        other=integers((32, 1024, 2048), 0, 19, dtype=u8),
    ),
    case(
        "sparsity after ReLU, ResNet-50 stage 1, batch 128",
        self=integers((128, 256, 56, 56), 0, 3, dtype=fp16),
        other=0,
    ),
)
