"""aten::_softmax."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _columns(call: Bound) -> int:
    return int(call["self"].shape[call["dim"]]) if call["self"].dim() else 1


def _exactly(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """The truth in float64: the conversion that `half_to_float` asks for would round it."""
    return torch.softmax(self, dim)


# The numbers are aten::softmax's.
@operator(
    "aten::_softmax",
    numeric=Reduction(ulps=4.0, input_ulps=2.0, terms=_columns, normalized=True),
    golden=_exactly,
)
def _softmax(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """exp(self) along `dim` divided by its sum; with `half_to_float` a float16 input makes a float32 result.

    A row with NaN or +inf in it, and one of nothing but -inf, is all NaN.
    """
    if half_to_float:  # which only accelerators have by this name
        return torch.softmax(self, dim, dtype=torch.float32)
    return torch._softmax(self, dim, False)


_MASKED_ROW = [-inf] * 33

_softmax.check(
    grid(self=shapes((7, 129)), dim=[0, -1], half_to_float=False, dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid(self=shapes((7, 129)), dim=[0, -1], half_to_float=True, dtypes=(fp16,), layouts=DENSE_LAYOUT),
    grid(self=shapes((2, 3, 5, 7)), dim=[1, -1], half_to_float=False, dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(
        "half to float",
        self=[*shapes((2, 3, 5, 7), (2, 1025), (33, 3)), sprinkle((16, 65), -inf, share=0.5)],
        dim=[0, -2, -1],
        half_to_float=True,
        dtypes=(fp16,),
        layouts=(ANY_LAYOUT[2],),
    ),
    grid(
        "float64",
        self=shapes((5, 33), (3, 4, 5)),
        dim=[-2, -1],
        half_to_float=False,
        dtypes=(fp64,),
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "rank 6",
        self=normal((2, 3, 2, 3, 2, 5)),
        dim=[0, 3, -1],
        half_to_float=False,
        dtypes=(fp32,),
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "0-d: one element", self=normal(()), dim=[0, -1], half_to_float=False, dtypes=(fp32,), telling=False
    ),
    grid("size 1", self=normal((5, 1)), dim=1, half_to_float=[False, True], dtypes=(fp16,), telling=False),
    grid("empty", self=shapes((0, 5), (5, 0), (2, 0, 3)), dim=[0, 1], half_to_float=False, dtypes=(fp32,)),
    grid(
        "short rows, many of them",
        self=shapes((257, 3), (3, 257)),
        dim=[0, 1],
        half_to_float=False,
        dtypes=(fp16, fp32),
    ),
    case(
        "one row of -inf",
        self=literally((3, 33), *_MASKED_ROW, *range(33), 7, dtype=fp32),
        dim=1,
        half_to_float=False,
    ),
    grid(
        "half is -inf", self=sprinkle((16, 65), -inf, share=0.5), dim=1, half_to_float=False, dtypes=FLOATING
    ),
    grid("NaN", self=sprinkle((32, 33), nan, share=0.02), dim=1, half_to_float=False, dtypes=FLOATING),
    grid("+inf", self=sprinkle((32, 33), inf, share=0.02), dim=-1, half_to_float=False, dtypes=FLOATING),
    grid(
        "+inf and NaN down the columns",
        self=sprinkle((33, 32), inf, nan, dtype=fp16, share=0.02),
        dim=0,
        half_to_float=[False, True],
    ),
    case("one winner a row", self=normal((8, 65), 0, 1e4, dtype=fp32), dim=1, half_to_float=False),
    case("where exp alone overflows", self=normal((8, 65), 500, 2, dtype=fp32), dim=1, half_to_float=False),
    case("where exp alone vanishes", self=normal((8, 65), -500, 2, dtype=fp32), dim=0, half_to_float=False),
    grid(
        "largest and smallest float16",
        self=sprinkle((8, 33), 65504.0, -65504.0, dtype=fp16, share=0.05),
        dim=1,
        half_to_float=[False, True],
    ),
    case(
        "100,003 columns, where zeros are close to right",
        self=normal((1, 100_003), dtype=fp32),
        dim=1,
        half_to_float=False,
    ),
    case(
        "one after another in memory, too small for float16",
        self=normal((20_011, 2), dtype=fp16),
        dim=0,
        half_to_float=True,
    ),
    grid(
        "1M elements",
        self=shapes((1023, 1025)),
        dim=[0, 1],
        half_to_float=False,
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        self=normal((200, 2560, 3)),
        dim=[0, 1],
        half_to_float=[False, True],
        dtypes=(fp16,),
        tier=Tier.STANDARD,
    ),
)
_softmax.perf(
    grid(
        "Llama-3-8B attention scores, 32 heads, 2048 tokens",
        self=normal((32, 2048, 2048)),
        dim=-1,
        half_to_float=False,
        dtypes=HALF,
    ),
    weight=3,
)
_softmax.perf(
    case(
        "Llama-3-8B attention scores in float32, 32 heads, 2048 tokens",
        self=normal((32, 2048, 2048), dtype=fp16),
        dim=-1,
        half_to_float=True,
    ),
    case(
        "GPT-2 vocabulary logits, 1024 tokens",
        self=normal((1024, 50257), dtype=fp32),
        dim=-1,
        half_to_float=False,
    ),
    case(
        "ViT-B/16 attention, batch 64",
        self=normal((64, 12, 197, 197), dtype=fp16),
        dim=-1,
        half_to_float=False,
    ),
)
