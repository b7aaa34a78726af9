"""aten::exponential_."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgb_core.lazy import lazy_module, torch
from kgb_core.models.case import GeneratorArgument, Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    normal,
    shapes,
)
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Kind, operator
from kgb_operators.families import RANK_6
from kgb_operators.uniformity import repeats_p_value, spread, uniform_p_value

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")


def p_value(call: Bound, output: torch.Tensor) -> float:
    """How probable draws at least this odd are for a right sampler.

    A rounded draw stands for all that is rounded to it. Zero is no draw: ATen excludes it, so that a quotient
    by a draw is finite.
    """
    wide = output.dtype in (torch.float32, torch.float64)
    if not bool(((output >= 0) & torch.isfinite(output)).all()):
        return 0.0
    if wide and bool((output == 0).any()):
        return 0.0
    rate = float(call["lambd"])
    below = -np.expm1(-rate * _halfway(output, -1).numpy())
    width = -np.expm1(-rate * _halfway(output, 1).numpy()) - below
    found = uniform_p_value(spread(below, width))
    return min(found, repeats_p_value(output.double().numpy())) * 2 if wide else found


def _halfway(value: torch.Tensor, step: int) -> torch.Tensor:
    """The middle between each value and the next representable one, downwards or upwards."""
    whole = {2: torch.int16, 4: torch.int32, 8: torch.int64}[value.element_size()]
    next_one = (value.contiguous().view(whole) + step).clamp(min=0).view(value.dtype)
    return (value.double() + next_one.double()) / 2


@operator("aten::exponential_", numeric=Random(p_value), kind=Kind.RANDOM, mutates=("self",))
def exponential_(
    self: torch.Tensor, lambd: float = 1, *, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Fill self with independent draws of density lambd * exp(-lambd * x), x > 0; returns self."""
    return self.exponential_(lambd, generator=generator)


exponential_.check(
    # A negative mean and few near zero: nothing of the old contents could be a draw.
    grid(self=normal((89, 92), -9), lambd=[OMIT, 1.0, 2.5], dtypes=FLOATING, layouts=DENSE_LAYOUT),
    grid(self=normal((89, 92), -9), lambd=[0.1, 30], dtypes=(fp64,), layouts=DENSE_LAYOUT),
    grid("small and large rates", self=normal((3, 31, 43), -9), lambd=[1e-3, 1e3], dtypes=(fp32,)),
    grid("a rate for half precision", self=normal((3, 31, 43), -9), lambd=[0.01, 50], dtypes=HALF),
    grid("odd", self=shapes((4099,), (3, 5, 7, 11)), lambd=0.5, dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid("rank 6", self=normal((*RANK_6[:3], 50, 2, 3), -9), dtypes=(fp32,), layouts=DENSE_LAYOUT),
    grid(
        "a generator",
        self=normal((89, 92), -9),
        lambd=[1.5],
        generator=GeneratorArgument(),
        dtypes=(fp16, fp32, fp64),
        layouts=DENSE_LAYOUT[::2],
    ),
    case("generator is None", self=normal((89, 92), -9, dtype=fp32), generator=None),
    grid("a few draws", self=shapes((33,), (7, 5)), lambd=2.0, dtypes=(fp32, fp64)),
    # One draw: only a wrong magnitude can be judged, and any trivial answer above zero passes.
    grid("0-d", self=normal((), -9), dtypes=(fp32,), telling=False),
    grid("one element", self=normal((1, 1), -9), dtypes=(fp16,), telling=False),
    grid("empty", self=shapes((0,), (0, 5), (5, 0)), dtypes=(fp32,)),
    grid(
        "1 M elements",
        self=normal((1023, 1025), -9),
        lambd=[OMIT, 3.0],
        dtypes=FLOATING,
        layouts=DENSE_LAYOUT,
        tier=Tier.STANDARD,
    ),
)
exponential_.perf(
    grid("Llama-3-8B sampling by exponential race, batch 128", self=normal((128, 128256)), dtypes=(fp32,)),
    grid("Qwen2-7B sampling, 256 sequences, 152064 tokens", self=normal((256, 152064)), dtypes=(fp16, fp32)),
    weight=3,
)
exponential_.perf(
    case(
        "Gumbel noise for GPT-2 logits, 1024 tokens",
        self=normal((1024, 50257), dtype=fp32),
        generator=GeneratorArgument(),
    ),
    case("Mixtral 8x7B router noise, 1 M tokens", self=normal((1 << 20, 8), dtype=bf16)),
)
