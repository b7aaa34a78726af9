"""aten::square."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers
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
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import unary

WIDE = Integers(low=-100, high=101)


# IEEE 754 rounds a product correctly: half an ulp. A complex square subtracts two products, whose rounding
# counts against the magnitude of the whole.
@operator("aten::square", numeric=Elementwise(ulps=1.5))
def square(self: torch.Tensor) -> torch.Tensor:
    """Every element times itself, in its own type, integers wrapping; of bools as int64."""
    return torch.square(self)


square.check(
    unary(FLOATING),
    grid("type", self=normal((9, 57)), dtypes=(fp64,), layouts=ANY_LAYOUT),
    grid("type", self=tensor((9, 57), WIDE), dtypes=(i8, i16, i32, i64, u8)),
    case("bools count", self=integers((9, 57), dtype=boolean)),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("complex", self=normal((9, 57)), dtypes=(c64,), layouts=ANY_LAYOUT),
    grid("complex", self=[normal(()), normal((3, 5, 7)), normal((0, 3))], dtypes=(c64,)),
    case("beyond 32 bits, some beyond 64", self=integers((9, 57), -(2**40), 2**40, dtype=i64)),
    case("wraps", self=integers((9, 57), -100_000, 100_001, dtype=i32)),
    case("overflow", self=uniform((9, 57), 1e19, 3e19, dtype=fp32)),
    case("overflow in half precision", self=uniform((9, 57), -400, 400, dtype=fp16)),
    case("squares that are denormal halves", self=uniform((9, 57), 3e-4, 7e-3, dtype=fp16)),
    case("limits", self=literally((7,), inf, -inf, nan, 0.0, -0.0, 3e38, 1e-30, dtype=fp32)),
)
square.perf(
    grid("Llama-3-8B RMSNorm, 8192 tokens", self=normal((8192, 4096)), dtypes=(fp32, bf16)),
    weight=2,
)
square.perf(
    case("Primer squared ReLU, 1536 features, 32 sequences of 1024", self=normal((32_768, 6144), dtype=fp16)),
    case("Adam second moment of GPT-2's token embedding", self=normal((50_257, 768), dtype=fp32)),
    case("Stable Diffusion 1.5 loss, batch 256 of 64 x 64", self=normal((256, 4, 64, 64), dtype=fp32)),
)
