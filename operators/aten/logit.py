"""aten::logit."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Sprinkle, Uniform
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    SPECIALS,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i64,
    integers,
    literally,
    nan,
    normal,
    tensor,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import VIEWS, real_function

LOW = Uniform(low=0.02, high=0.3)
SMALL, MIDDLING = 2**-20, 2**-10
REACH = uniform((9, 57), -0.2, 1.2)


# A quotient and its logarithm. Near a half the answer is near zero while the quotient is rounded near one:
# what the input may be off by covers that, once for 1 - x. ATen's CPU kernel rounds the quotient to half
# precision, which
# costs all of the answer there: cases in half precision stay away. Every 1 - eps is exact in the case's type;
# where it is rounded, the answer at the clamp is the logit of something else.
@operator("aten::logit", numeric=Elementwise(ulps=3.0, input_ulps=2.0))
def logit(self: torch.Tensor, eps: float | None = None) -> torch.Tensor:
    """log(x / (1 - x)) of every element, which `eps` brings into the range from eps to 1 - eps first.

    Without `eps` it is NaN outside of 0 to 1. Integers give floats.
    """
    return torch.logit(self, eps)


logit.check(
    real_function(LOW, Integers(low=-1, high=3)),
    grid("everywhere", self=uniform((37, 53)), dtypes=(fp32, fp64), layouts=ANY_LAYOUT),
    grid("above a half", self=uniform((9, 57), 0.75, 1), dtypes=(*FLOATING, fp64)),
    grid("eps", self=REACH, eps=[SMALL, MIDDLING, 0.125, 0.0, None], dtypes=(fp32, fp64)),
    grid("eps", self=uniform((9, 57), -0.2, 0.3), eps=[0.0625, 0.25, None], dtypes=HALF),
    grid("eps", self=uniform((9, 57), 0.7, 1.2), eps=[0.0625, OMIT], dtypes=HALF),
    grid("eps", self=REACH, eps=0.125, dtypes=(fp32,), layouts=VIEWS),
    grid("eps", self=integers((9, 57), -1, 3), eps=0.125, dtypes=(u8, i8, i64, boolean)),
    grid(
        "eps and special values",
        self=tensor((9, 57), Sprinkle(specials=SPECIALS, base=LOW)),
        eps=0.25,
        dtypes=(*FLOATING, fp64),
    ),
    case(
        "eps above a half: the lower limit wins below it", self=uniform((9, 57), 0, 1, dtype=fp32), eps=0.75
    ),
    grid("around a half", self=uniform((9, 57), 0.45, 0.55), dtypes=(fp32, fp64)),
    case("close to zero", self=uniform((9, 57), 1e-38, 1e-30, dtype=fp32)),
    case("close to one", self=uniform((9, 57), 0.9999, 1, dtype=fp32)),
    grid(
        "both ends", self=literally((6,), 0.0, 1.0, -0.0, 0.5, 0.25, nan), eps=[OMIT, 0.125], dtypes=FLOATING
    ),
    grid("empty", self=normal((0, 3)), eps=0.1, dtypes=(fp32,)),
)
logit.perf(
    case("RealNVP on CIFAR-10, all 50000 images", self=uniform((50_000, 3, 32, 32), 0.05, 0.95, dtype=fp32)),
    case(
        "Glow on CelebA-HQ at 256 x 256, batch 64",
        self=uniform((64, 3, 256, 256), 0, 1, dtype=fp32),
        eps=SMALL,
    ),
    case(
        "Deformable DETR reference points, 300 queries, 6 decoder layers, batch 4096",
        self=uniform((4096, 6, 300, 4), 0, 1, dtype=fp16),
        eps=MIDDLING,
    ),
    case(
        "Mask2Former mask scores, 100 queries of 256 x 256, batch 8",
        self=uniform((8, 100, 256, 256), 0, 1, dtype=bf16),
        eps=0.0078125,
    ),
)
