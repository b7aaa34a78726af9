"""aten::rrelu_with_noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgb_core.lazy import lazy_module, torch
from kgb_core.models.case import GeneratorArgument, Layout, Tier
from kgb_core.models.values import Normal, Uniform
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    FLOATING,
    HALF,
    OMIT,
    bf16,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    normal,
    sprinkle,
)
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Kind, operator
from kgb_operators.families import RANK_6, VIEWS
from kgb_operators.losses import Parts, alike
from kgb_operators.uniformity import spread, uniform_p_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
else:
    np = lazy_module("numpy")


def p_value(call: Bound, output: torch.Tensor) -> float:
    """How probable slopes at least this odd are; 1 or 0 where nothing is drawn."""
    x, lower, upper = call["self"], call["lower"], call["upper"]
    if not call["training"] or lower == upper:
        return float(_close(output, torch.where(x > 0, x.double(), x.double() * ((lower + upper) / 2))))
    as_it_was = ~(x < 0) | torch.isinf(x)
    if not _same(output[as_it_was], x[as_it_was]):
        return 0.0
    if bool(as_it_was.any()):
        x, output = x[~as_it_was], output[~as_it_was]
    below, above = (
        ((slope - lower) / (upper - lower)).clamp(0, 1).numpy() for slope in _slopes(x.abs(), output.abs())
    )
    return uniform_p_value(spread(below, above - below))


def _slopes(x: torch.Tensor, output: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The least and the greatest slope that can have led to each output.

    The product was rounded, and the slope before it by those who multiply with it as it is kept.
    """
    eps = torch.finfo(x.dtype).eps
    ends = (torch.nextafter(output, torch.full_like(output, end)) for end in (0.0, inf))
    low, high = ((output.double() + end.double()) / 2 / x.double() for end in ends)
    return low * (1 - eps), high * (1 + eps)


def consistent(call: Bound, output: torch.Tensor, left: Mapping[str, torch.Tensor]) -> bool:
    """Whether `noise` holds the slopes that led to the output; outside of training, what it held before."""
    x, noise = call["self"], left["noise"]
    if not call["training"]:
        return _same(noise, call["noise"])
    low, high = (torch.tensor(call[bound], dtype=noise.dtype) for bound in ("lower", "upper"))
    fits = torch.where(x <= 0, (noise >= low) & (noise <= high), noise == 1)
    return bool(fits.all()) and _close(output, x.double() * noise.double())


def _close(output: torch.Tensor, want: torch.Tensor) -> bool:
    info = torch.finfo(output.dtype)
    least = info.smallest_normal * info.eps
    return torch.allclose(output.double(), want, rtol=2 * info.eps, atol=least, equal_nan=True)


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)


@operator(
    "aten::rrelu_with_noise",
    numeric=Random(p_value, consistent=consistent),
    kind=Kind.RANDOM,
    mutates=("noise",),
    sparse=("noise",),  # which is written in training only
)
def rrelu_with_noise(
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: float = 0.125,
    upper: float = 0.3333333333333333,
    training: bool = False,
    generator: torch.Generator | None = None,
) -> torch.Tensor:
    """self above zero; else self times a slope, which in training is drawn uniformly from [lower, upper].

    Each element then has a slope of its own, left in `noise`, where all others get 1. Outside of
    training the slope is (lower + upper) / 2 and `noise` stays as it was.
    """
    found: torch.Tensor = torch.ops.aten.rrelu_with_noise(self, noise, lower, upper, training, generator)
    return found


GENERATOR = GeneratorArgument()
BELOW: Parts = {"self": Uniform(low=-3, high=-0.1), "noise": Normal()}
ANY: Parts = {"self": Normal(), "noise": Normal()}
LARGE = (64, 128)
"""As many slopes as it takes to tell a wrong distribution."""


def _contiguous_noise(layout: Layout) -> dict[str, Any]:
    return {**alike(ANY, LARGE, layout), "noise": normal(LARGE)}


# ATen draws no slopes in float16 on CPUs, and writes them to wrong places of a noise that is not contiguous:
# cases in training stay away from both.
rrelu_with_noise.check(
    grid("slopes", **alike(BELOW, LARGE), training=True, dtypes=(bf16, fp32, fp64)),
    grid("slopes", **alike(ANY, LARGE), training=True, dtypes=(bf16, fp32, fp64)),
    [
        made
        for view in VIEWS
        for made in grid("slopes", **_contiguous_noise(view), training=True, dtypes=(bf16, fp32))
    ],
    grid(
        "with a generator",
        **alike(BELOW, LARGE),
        training=True,
        generator=GENERATOR,
        dtypes=(bf16, fp32, fp64),
    ),
    grid("bounds", **alike(BELOW, LARGE), lower=[0.1, 0.0], upper=[0.4, 1.0], training=True, dtypes=(fp32,)),
    grid("whole bounds", **alike(BELOW, LARGE), lower=0, upper=1, training=True, dtypes=(fp32, fp64)),
    grid("one slope", **alike(ANY, (9, 57)), lower=0.25, upper=0.25, training=True, dtypes=(bf16, fp32)),
    grid("odd sizes", **alike(BELOW, (8191,)), training=True, dtypes=(fp32,)),
    grid("odd sizes", **alike(BELOW, (11, 19, 37)), training=True, dtypes=(fp32,)),
    grid("rank 6", **alike(BELOW, (2, 3, 5, 7, 11, 3)), training=True, dtypes=(fp32,)),
    grid(
        "special values",
        self=sprinkle((9, 57)),
        noise=normal((9, 57)),
        training=True,
        dtypes=(bf16, fp32, fp64),
    ),
    grid("0-d and one element", self=fill((), -1.5), noise=fill((), 9.0), training=True, dtypes=(fp32,)),
    grid(
        "0-d and one element", self=fill((1, 1), 1.5), noise=fill((1, 1), 9.0), training=True, dtypes=(fp32,)
    ),
    grid("empty", **alike(ANY, (3, 0, 5)), training=[True, False], dtypes=(fp32,)),
)
rrelu_with_noise.check(
    grid("mean slope", **alike(ANY, (37, 53)), training=[OMIT, False], dtypes=FLOATING),
    grid("mean slope", **alike(ANY, (37, 53)), dtypes=FLOATING, layouts=VIEWS[:2]),
    grid("mean slope", **_contiguous_noise(VIEWS[2]), dtypes=(fp16, fp32)),
    grid(
        "mean slope, of these bounds", **alike(ANY, (9, 57)), lower=0.1, upper=0.4, dtypes=(*FLOATING, fp64)
    ),
    grid("mean slope, of whole bounds", **alike(ANY, (9, 57)), lower=0, upper=[1, 3], dtypes=(fp16, fp32)),
    grid("mean slope, rank 6", **alike(ANY, RANK_6), dtypes=(fp32,), layouts=VIEWS[:2]),
    grid(
        "mean slope, special values", self=sprinkle((9, 57)), noise=normal((9, 57)), dtypes=(*FLOATING, fp64)
    ),
    grid("mean slope, 0-d", self=fill((), -1.5), noise=fill((), 9.0), dtypes=(fp16, fp32)),
    grid("million", **alike(BELOW, (1_000_003,)), training=True, dtypes=(fp32, fp64), tier=Tier.STANDARD),
    grid("million", **alike(ANY, (1_000_003,)), dtypes=FLOATING, tier=Tier.STANDARD),
)
rrelu_with_noise.perf(
    grid(
        "NIN on CIFAR-100 (Xu et al. 2015), first block, batch 128",
        **alike(ANY, (128, 192, 32, 32)),
        training=True,
        dtypes=(bf16, fp32),
    ),
    weight=2,
)
rrelu_with_noise.perf(
    grid(
        "RE-GCN on ICEWS18, 23033 entities of 200, 10 time steps",
        **alike(ANY, (10, 23033, 200)),
        training=True,
        dtypes=(fp32,),
    ),
    grid(
        "VGG-16 with a randomised rectifier, first layer, batch 16",
        **alike(ANY, (16, 64, 224, 224)),
        training=True,
        dtypes=(bf16,),
    ),
    grid(
        "NIN on CIFAR-100, first block, judged, batch 512",
        **alike(ANY, (512, 192, 32, 32)),
        training=False,
        dtypes=HALF,
    ),
)
