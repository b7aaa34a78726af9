"""aten::sgn."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Fill, Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    boolean,
    c64,
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
    tensor,
    u8,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import unary

FEW = Integers(low=-3, high=4)


# Signs of real numbers are exact in every type. The magnitude of a complex one is a root of a sum of squares.
@operator("aten::sgn", numeric=Elementwise(ulps=2.0))
def sgn(self: torch.Tensor) -> torch.Tensor:
    """The sign of every element, of NaN 0; of a complex one the number over its magnitude."""
    return torch.sgn(self)


sgn.check(
    unary(FLOATING, single=Fill(value=-2.5)),
    grid("type", self=tensor((9, 57), FEW), dtypes=(fp64, i8, i16, i32, i64), layouts=ANY_LAYOUT),
    case("type", self=integers((9, 57), 0, 4, dtype=u8)),
    case("bools are their own sign", self=integers((9, 57), dtype=boolean)),
    grid("zeros and both signs", self=tensor((9, 57), FEW), dtypes=FLOATING),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("complex", self=normal((9, 57)), dtypes=(c64,), layouts=ANY_LAYOUT),
    grid("complex", self=[normal(()), normal((3, 5, 7)), normal((0, 3))], dtypes=(c64,)),
    case("complex with a magnitude of 1e30", self=normal((9, 57), 0, 1e30, dtype=c64)),
    case("complex with a magnitude of 1e-30", self=normal((9, 57), 0, 1e-30, dtype=c64)),
    case("beyond 32 bits", self=literally((5,), 2**40, -(2**40), 0, 2**32, -(2**31), dtype=i64)),
    case("smallest of its type", self=literally((4,), -128, 127, 0, -1, dtype=i8)),
    case("limits", self=literally((8,), inf, -inf, nan, 0.0, -0.0, 3e38, -3e38, -1e-40, dtype=fp32)),
)
sgn.perf(
    grid("Lion update of a Llama-3-8B down projection", self=normal((4096, 14_336)), dtypes=(fp32, bf16)),
    weight=2,
)
sgn.perf(
    case("signSGD on ResNet-50, all 25557032 gradients", self=normal((25_557_032,), dtype=fp32)),
    case("FGSM on ImageNet, batch 256", self=normal((256, 3, 224, 224), dtype=fp16)),
    case("XNOR-Net activations, batch 128", self=normal((128, 256, 56, 56), dtype=fp16)),
)
