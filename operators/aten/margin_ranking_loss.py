"""aten::margin_ranking_loss."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Fill, Integers, Normal, Sprinkle, Uniform
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    tensor,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator
from kgb_operators.losses import MEAN, NONE, SUM, Parts, alike, loss

SIGN = Sprinkle(base=Uniform(low=1, high=1), specials=(-1.0,), share=0.5)
"""1 or -1, at random."""
STEPS: Parts = {"input1": Integers(low=-3, high=4), "input2": Integers(low=-3, high=4), "target": SIGN}
"""Numbers whose differences every type holds: see the rule."""
ONE: Parts = {"input1": Fill(value=1), "input2": Fill(value=3), "target": Fill(value=1)}
PARTS: Parts = {"input1": Normal(std=2), "input2": Normal(std=2), "target": SIGN}
EVERY = [NONE, MEAN, SUM]


# The difference and what the margin adds to it are each rounded once, and may cancel; sums of losses, none of
# which is negative. PyTorch rounds every step to half precision: cases in half precision need no rounding.
@operator(
    "aten::margin_ranking_loss",
    numeric=Reduction(ulps=2.0, input_ulps=3.0, accumulation=1.0, normalized=True),
)
def margin_ranking_loss(
    input1: torch.Tensor,
    input2: torch.Tensor,
    target: torch.Tensor,
    margin: float = 0.0,
    reduction: int = 1,
) -> torch.Tensor:
    """max(0, margin - target * (input1 - input2)), broadcast, in the promoted type; integers give floats.

    `reduction` is 0 for none, 1 for mean, 2 for sum. The mean of nothing is NaN.
    """
    found: torch.Tensor = torch.ops.aten.margin_ranking_loss(input1, input2, target, margin, reduction)
    return found


margin_ranking_loss.check(
    loss(STEPS, single=ONE, margin=0.5),
    grid("margin", **alike(STEPS, (9, 57)), margin=[OMIT, -0.5, 2], reduction=EVERY, dtypes=(fp16, fp32)),
    grid("any number", **alike(PARTS, (37, 53)), margin=0.1, reduction=EVERY, dtypes=(fp32, fp64)),
    grid(
        "all defaults",
        input1=integers((9, 57)),
        input2=integers((9, 57)),
        target=tensor((9, 57), SIGN),
        margin=OMIT,
        reduction=OMIT,
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
    ),
    grid(
        "any target",
        input1=normal((9, 57)),
        input2=normal((9, 57)),
        target=normal((9, 57)),
        margin=0.5,
        reduction=EVERY,
        dtypes=(fp32,),
    ),
    grid(
        "one target for all",
        input1=integers((9, 57)),
        input2=integers((9, 57)),
        target=literally((1, 1), 1.0),
        margin=1.0,
        reduction=[NONE, MEAN],
        dtypes=FLOATING,
    ),
    grid(
        "one positive against many negatives",
        input1=normal((19, 1)),
        input2=normal((19, 31)),
        target=literally((19, 31), 1.0, -1.0),
        margin=1.0,
        reduction=EVERY,
        dtypes=(fp32,),
    ),
    grid(
        "broadcast of ranks",
        input1=normal((3, 5, 7)),
        input2=normal((5, 1)),
        target=tensor((7,), SIGN),
        margin=0.25,
        reduction=EVERY,
        dtypes=(fp32,),
    ),
    grid(
        "ties",
        input1=integers((9, 57), 0, 2),
        input2=integers((9, 57), 0, 2),
        target=tensor((9, 57), SIGN),
        margin=[0.0, 1.0],
        reduction=NONE,
        dtypes=FLOATING,
    ),
    grid(
        "special values",
        input1=sprinkle((9, 57)),
        input2=integers((9, 57)),
        target=tensor((9, 57), SIGN),
        margin=0.5,
        reduction=NONE,
        dtypes=(fp32, fp64),
    ),
    grid(
        "infinities and NaN",
        input1=literally((5, 4), inf, -inf, nan, 2.0, 0.0),
        input2=literally((5, 4), inf, -inf, nan, 1.0),
        target=literally((5, 4), 1.0, -1.0, 1.0),
        margin=0.5,
        reduction=NONE,
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "one NaN spoils a reduced loss",
        input1=sprinkle((9, 57), nan, share=0.01),
        input2=normal((9, 57)),
        target=tensor((9, 57), SIGN),
        margin=0.5,
        reduction=[MEAN, SUM],
        dtypes=(fp16, fp32),
    ),
    case(
        "whole numbers",
        input1=integers((9, 57), dtype=i64),
        input2=integers((9, 57), dtype=i64),
        target=tensor((9, 57), SIGN, i64),
        margin=0.5,
        reduction=NONE,
    ),
    case(
        "whole targets",
        input1=integers((9, 57), dtype=fp16),
        input2=integers((9, 57), dtype=fp16),
        target=tensor((9, 57), SIGN, i64),
        margin=0.5,
        reduction=MEAN,
    ),
    case(
        "promotion",
        input1=integers((9, 57), dtype=fp16),
        input2=normal((9, 57), dtype=fp32),
        target=tensor((9, 57), SIGN, fp32),
        margin=0.5,
        reduction=SUM,
    ),
    case(
        "promotion",
        input1=normal((9, 57), dtype=fp32),
        input2=normal((9, 57), dtype=fp64),
        target=tensor((9, 57), SIGN, fp32),
        margin=0.5,
        reduction=NONE,
    ),
)
margin_ranking_loss.perf(
    grid(
        "TransE with 256 negatives a triple, batch 65536",
        input1=normal((65536, 1)),
        input2=normal((65536, 256)),
        target=literally((1, 1), -1.0),
        margin=1.0,
        reduction=OMIT,
        dtypes=(fp32,),
    ),
    weight=2,
)
margin_ranking_loss.perf(
    grid(
        "MS MARCO passages, 8192 queries against those of the whole batch",
        **alike(PARTS, (8192, 4096)),
        margin=0.2,
        reduction=MEAN,
        dtypes=HALF,
    ),
    grid(
        "pairs of MovieLens 20M, every rating once",
        **alike(PARTS, (20_000_263,)),
        margin=1.0,
        reduction=SUM,
        dtypes=(fp32,),
    ),
    grid(
        "NAS accuracy predictors, pairs of 5000 architectures",
        **alike(PARTS, (5000, 5000)),
        margin=0.1,
        reduction=NONE,
        dtypes=(fp32,),
    ),
)
