"""aten::gt."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Fill, Integers
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
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

FEW = Operands(left=Integers(low=0, high=3), right=Integers(low=0, high=3), single=Fill(value=1))
"""So few values that a third of all pairs is equal: what is taken for "greater" matters there."""


@operator("aten::gt", numeric=Exact())
def gt(self: torch.Tensor, other: torch.Tensor | float) -> torch.Tensor:
    """True where self is greater than other, broadcast, compared in the promoted type; NaN never is."""
    return torch.gt(self, other)


gt.check(
    binary(FEW, FLOATING, one_tells=False),
    binary(Operands(single=Fill(value=0)), (fp32,), one_tells=False),
    same_type(FEW, (fp64, i8, i16, i32, i64, u8, boolean)),
    promoted(FEW, (fp16, fp32), (bf16, fp16), (i32, fp16), (u8, i8), (fp32, fp64), (i64, fp32)),
    special_pairs((*FLOATING, fp64)),
    grid("number", self=integers((9, 57), 0, 4), other=[1, 2.0, True], dtypes=(*FLOATING, i64, u8)),
    grid("number between two", self=integers((9, 57), -3, 4), other=[0.5, -0.5], dtypes=(fp16, i8, i64)),
    grid("an endless number", self=sprinkle((9, 57)), other=-inf, dtypes=(fp16, fp32)),
    case("negative or unsigned", self=integers((9, 57), 0, 256, dtype=u8), other=127),
    case("signs of integers", self=integers((9, 57), -128, 128, dtype=i8), other=-1),
    case("bools and integers", **FEW.typed(boolean, i64, (9, 57), (9, 57))),
    case("number, of bools", self=integers((9, 57), dtype=boolean), other=0),
    case("NaN and others", self=sprinkle((9, 57), nan, 0.5, dtype=fp32), other=0.5),
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
        other=literally((2, 1), 16777215.0, 16777216.0, dtype=fp32),
    ),
    case(
        "float64 of rank 0 is rounded to float32 first",
        self=literally((3,), 1.0, 0.1, 0.05, dtype=fp32),
        other=literally((), 0.1, dtype=fp64),
    ),
)
gt.perf(
    grid(
        "YOLOv8 class scores above their threshold, 64 images of 640 x 640",
        self=uniform((64, 80, 8400)),
        other=0.25,
        dtypes=(fp16, bf16),
    ),
    weight=2,
)
gt.perf(
    case(
        "Llama-3-8B nucleus sampling, 256 sequences: cumulative probability above 0.9",
        self=uniform((256, 128256), dtype=fp32),
        other=0.9,
    ),
    case(
        "Llama-3-8B magnitude pruning of a down projection, a threshold for each row",
        self=normal((4096, 14336), dtype=fp16),
        other=uniform((4096, 1), 0, 1, dtype=fp16),
    ),
    case(
        "block-causal mask of packed sequences, 8 of 4096",
        self=integers((8, 4096, 1), 0, 4096, dtype=i32),
        other=integers((8, 1, 4096), 0, 4096, dtype=i32),
    ),
)
