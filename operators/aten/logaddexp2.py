"""aten::logaddexp2."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Uniform
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
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
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.families import Operands, binary, promoted, same_type, special_pairs

ABOVE = Operands(left=Uniform(low=1, high=9), right=Uniform(low=1, high=9))
"""Where a logarithm that was rounded to half precision before it was added still counts for little."""


def _two(call: Bound) -> int:
    return 2


# A sum of two terms that cancel where both powers together are near 1: the error is that of the greater
# exponent and of the logarithm added to it, however small the result. That is what `accumulation` bounds.
@operator("aten::logaddexp2", numeric=Reduction(ulps=2.0, input_ulps=2.0, accumulation=2.0, terms=_two))
def logaddexp2(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """log2(2 ** self + 2 ** other), broadcast, in the promoted floating type, without overflow between."""
    return torch.logaddexp2(self, other)


logaddexp2.check(
    binary(ABOVE, FLOATING),
    grid(self=normal((37, 53)), other=normal((37, 53)), dtypes=(fp32, fp64), layouts=ANY_LAYOUT),
    same_type(ABOVE, (fp64,)),
    promoted(ABOVE, (fp16, fp32), (fp32, fp64), (fp32, fp16)),
    special_pairs((fp32, fp64)),
    grid("special values", self=sprinkle((9, 57)), other=uniform((57,), 1, 9), dtypes=(fp32, fp64)),
    grid(
        "infinities and NaN",
        self=literally((5, 1), inf, -inf, nan, 2.0, 5.0),
        other=literally((1, 5), inf, -inf, nan, 2.0, -3.0),
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "equal operands add 1",
        self=literally((5, 7), 1, 2, 3.5, 7, 11),
        other=literally((5, 7), 1, 2, 3.5, 7, 11),
        dtypes=FLOATING,
    ),
    grid(
        "far apart: the greater one",
        self=uniform((9, 57), 100, 900),
        other=uniform((9, 57), 1, 9),
        dtypes=FLOATING,
    ),
    grid(
        "the lesser one counts little",
        self=uniform((9, 57), -1, 1),
        other=uniform((9, 57), -24, -8),
        dtypes=(fp32, fp64),
    ),
    grid(
        "powers that overflow",
        self=uniform((9, 57), 120, 140),
        other=uniform((9, 57), 120, 140),
        dtypes=(fp32,),
    ),
    grid(
        "powers that vanish",
        self=uniform((9, 57), -400, -390),
        other=uniform((9, 57), -400, -390),
        dtypes=(fp32,),
    ),
    grid(
        "both together near 1",
        self=uniform((9, 57), -1.01, -0.99),
        other=uniform((9, 57), -1.01, -0.99),
        dtypes=(fp32, fp64),
    ),
    grid("tiny", self=uniform((5, 33), -1e-6, 1e-6), other=uniform((5, 33), -1e-6, 1e-6), dtypes=(fp32,)),
)
logaddexp2.perf(
    grid(
        "Llama-3-8B split attention, joining two partial sums of exponentials, 64 sequences of 8192",
        self=normal((64, 32, 8192), 8, 2),
        other=normal((64, 32, 8192), 8, 2),
        dtypes=(fp32,),
    ),
    weight=2,
)
logaddexp2.perf(
    case(
        "Conformer-L transducer lattice, batch 64, 400 frames, 128 tokens, both ways in",
        self=normal((64, 400, 1024), -20, 5, dtype=fp32),
        other=normal((64, 400, 1024), -20, 5, dtype=fp32),
    ),
    grid(
        "GPT-2 log probabilities of two models mixed, 2048 tokens",
        self=uniform((2048, 50257), 1, 12),
        other=uniform((2048, 50257), 1, 12),
        dtypes=HALF,
    ),
    case(
        "wav2vec 2.0 CTC forward scores, batch 256, 1500 frames, 65 states",
        self=normal((256, 1500, 65), -30, 5, dtype=fp32),
        other=normal((256, 1500, 65), -30, 5, dtype=fp32),
    ),
)
