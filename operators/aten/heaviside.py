"""aten::heaviside."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Fill, Integers, Normal
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    boolean,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import WHOLE_NUMBERS, Operands, binary, same_type

STEPS = Operands(left=Integers(low=-1, high=2), right=Normal(), second="values", single=Fill(value=0))
"""A third of all elements is zero, where the answer comes from `values`."""
WHOLE = Operands(left=Integers(low=-1, high=2), right=Integers(low=2, high=100), second="values")


@operator("aten::heaviside", numeric=Exact())
def heaviside(self: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """0 where self is below zero, 1 where it is above, `values` where it is zero, broadcast; of NaN 0.

    Both tensors have one dtype: nothing is promoted.
    """
    return torch.heaviside(self, values)


heaviside.check(
    binary(STEPS, FLOATING, one_tells=False),
    same_type(STEPS, (fp64,)),
    same_type(WHOLE, WHOLE_NUMBERS),
    grid("type", self=integers((9, 57)), values=integers((9, 57)), dtypes=(boolean,)),
    grid("special values", self=sprinkle((9, 57)), values=normal((57,)), dtypes=(*FLOATING, fp64)),
    grid(
        "special values at zero",
        self=integers((9, 57), -1, 2),
        values=sprinkle((9, 57)),
        dtypes=(*FLOATING, fp64),
    ),
    grid("both zeros", self=literally((4,), 0.0, -0.0, 1.0, -1.0), values=fill((), 0.5), dtypes=FLOATING),
    grid(
        "NaN is not above zero",
        self=literally((5,), nan, 0.0, inf, -inf, 2.0),
        values=fill((1,), 7.0),
        dtypes=(fp16, fp32, fp64),
    ),
    grid(
        "NaN at zero only", self=literally((4,), 0.0, 1.0, -1.0, -0.0), values=fill((), nan), dtypes=(fp32,)
    ),
    grid(
        "denormals are not zero",
        self=literally((3, 3), 1e-40, -1e-40, 0.0),
        values=fill((), 3.0),
        dtypes=(fp32,),
    ),
    grid("denormal halves", self=literally((3, 3), 6e-8, -6e-8, 0.0), values=fill((), 3.0), dtypes=(fp16,)),
    grid("all at zero", self=fill((7, 33), 0.0), values=normal((7, 33)), dtypes=(fp32,)),
)
heaviside.perf(
    grid(
        "SEW-ResNet-18 spikes, 4 time steps, batch 32",
        self=normal((4, 32, 64, 112, 112)),
        values=fill((), 1.0),
        dtypes=HALF,
    ),
    weight=2,
)
heaviside.perf(
    grid(
        "Spikformer-8-768 spikes of the feed-forward, 4 time steps, batch 16",
        self=normal((4, 16, 3072, 196)),
        values=fill((), 0.0),
        dtypes=(fp32,),
    ),
    grid(
        "VGG-16 converted to spikes, a reset value for each channel, batch 64",
        self=normal((64, 64, 224, 224)),
        values=normal((64, 1, 1)),
        dtypes=(fp16,),
    ),
    grid(
        "DeepSDF: which of 64 million samples lie outside",
        self=normal((64_000_000,)),
        values=fill((1,), 0.5),
        dtypes=(fp32,),
    ),
)
