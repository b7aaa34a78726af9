"""aten::special_entr."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Uniform
from kgb_core.operators.cases import (
    FLOATING,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    literally,
    nan,
    normal,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import WHOLE_NUMBERS, real_function


# A logarithm and a product. Near one the logarithm is near zero, where a fast one has only absolute
# precision: what the input may be off by covers that.
@operator("aten::special_entr", numeric=Elementwise(ulps=3.0, input_ulps=1.0))
def special_entr(self: torch.Tensor) -> torch.Tensor:
    """Minus x times log(x) of every element: 0 at zero, -inf below it; integers give floats."""
    entropy: torch.Tensor = torch.special.entr(self)
    return entropy


special_entr.check(
    real_function(Uniform(low=0, high=1), None),
    grid("integers", self=integers((9, 57), -1, 20), dtypes=WHOLE_NUMBERS),
    case("bools: all zero", self=integers((9, 57), dtype=boolean), telling=False),
    grid("above and below zero", self=uniform((9, 57), -1, 9), dtypes=(*FLOATING, fp64)),
    grid("near one", self=normal((9, 57), 1, 0.01), dtypes=(fp32, fp64)),
    case("probabilities of a large vocabulary", self=uniform((9, 57), 1e-12, 1e-4, dtype=fp32)),
    case("almost zero", self=uniform((9, 57), 1e-37, 1e-30, dtype=fp32)),
    case("large", self=uniform((9, 57), 1e30, 1e36, dtype=fp32)),
    case("up to overflow of halves", self=uniform((9, 57), 1, 9000, dtype=fp16)),
    case("limits", self=literally((8,), inf, -inf, nan, 0.0, -0.0, 1.0, 3e38, 0.5, dtype=fp32)),
)
special_entr.perf(
    case(
        "entropy of Llama-3-8B next-token probabilities, batch 512",
        self=uniform((512, 128_256), 0, 1e-4, dtype=fp32),
    ),
    case("the same in bf16", self=uniform((512, 128_256), 0, 1e-4, dtype=bf16)),
    case("entropy of GPT-2 attention, batch 16", self=uniform((16, 12, 1024, 1024), 0, 0.01, dtype=fp16)),
    case(
        "Cityscapes uncertainty maps, 19 classes, 1024 x 2048",
        self=uniform((4, 19, 1024, 2048), 0, 1, dtype=fp32),
    ),
)
