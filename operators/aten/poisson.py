"""aten::poisson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgb_core.lazy import lazy_module, torch
from kgb_core.models.case import GeneratorArgument, TensorSpec, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Sprinkle, Uniform
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    bf16,
    case,
    fill,
    fp16,
    fp32,
    fp64,
    grid,
    literally,
    tensor,
    uniform,
)
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Kind, operator
from kgb_operators.uniformity import spread, uniform_p_value

if TYPE_CHECKING:
    import numpy as np
    from scipy import stats
else:
    np = lazy_module("numpy")
    stats = lazy_module("scipy.stats")


def p_value(call: Bound, output: torch.Tensor) -> float:
    """How probable counts at least this odd are for a right sampler.

    Rates are chosen so that the output's type holds every likely count exactly.
    """
    rate, drawn = call["self"].double().numpy(), output.double().numpy()
    counts = np.isfinite(drawn) & (drawn >= 0) & (drawn == np.floor(drawn))
    if not np.all(counts & ((rate > 0) | (drawn == 0))):
        return 0.0
    law = stats.poisson(np.maximum(rate, 1e-300))
    return uniform_p_value(spread(law.cdf(drawn - 1), law.pmf(drawn)))


@operator("aten::poisson", numeric=Random(p_value), kind=Kind.RANDOM)
def poisson(self: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Independent Poisson counts, each with the mean that the element of `self` states, in its dtype."""
    return torch.poisson(self, generator)


def rates(shape: tuple[int, ...], dtype: DType) -> TensorSpec:
    """Means from nothing to 40, so that samplers for small and for large ones meet."""
    specials = (0.0, 1e-3, 0.5, 9.0, 10.0, 12.0)
    return tensor(shape, Sprinkle(base=Uniform(high=40.0), specials=specials, share=0.3), dtype)


poisson.check(
    grid(self=uniform((53, 67), 0.0, 12.0), dtypes=(fp32,)),
    grid(self=uniform((31, 33), 0.0, 12.0), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("where methods meet", self=[rates((31, 33), t) for t in (*FLOATING, fp64)]),
    grid("one small mean", self=[fill((31, 33), rate) for rate in (0.05, 0.7, 3.0)], dtypes=(fp16, fp32)),
    # Up to 1000 in float16 and 100 in bfloat16, counts are exact.
    grid("large means", self=uniform((31, 33), 20.0, 800.0), dtypes=(fp16, fp32, fp64)),
    grid("large means", self=uniform((31, 33), 20.0, 100.0), dtypes=(bf16,)),
    grid("very large means", self=uniform((31, 33), 1e3, 1e6), dtypes=(fp32, fp64)),
    grid("rank 6", self=uniform((2, 3, 1, 5, 2, 17), 0.0, 9.0), dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid("zero, one and ten in turn", self=literally((31, 33), 0.0, 1.0, 10.0), dtypes=(fp16, fp32)),
    grid(
        "a generator",
        self=uniform((31, 33), 0.0, 25.0),
        generator=GeneratorArgument(),
        dtypes=(fp16, fp32, fp64),
    ),
    case("generator is None", self=uniform((31, 33), 0.0, 12.0, dtype=fp32), generator=None),
    grid("a few draws", self=uniform((7, 5), 100.0, 300.0), dtypes=(fp32, fp64)),
    grid("0-d", self=fill((), 400.0), dtypes=(fp32,)),
    grid("one certain", self=fill((1, 1), 0.0), dtypes=(fp16, fp32), telling=False),
    grid("empty", self=[fill((0,), 0.5), fill((0, 5), 0.5), fill((5, 0), 0.5)], dtypes=(fp32,)),
    grid(
        "1 M elements",
        self=[uniform((1023, 1025), 0.0, 60.0), fill((1024, 1024), 4.0)],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:2],
        tier=Tier.STANDARD,
    ),
)
poisson.perf(
    case(
        "photon counts of a 4096 x 4096 image, up to 200", self=uniform((4096, 4096), 0.0, 200.0, dtype=fp32)
    ),
    case("low-dose CT sinogram, 1000 views of 888 x 16", self=uniform((1000, 888, 16), 1e3, 1e5, dtype=fp32)),
    case("spike trains of 100 k neurons over 500 steps", self=fill((500, 100_000), 0.05, dtype=fp32)),
    case(
        "noise on ImageNet, batch 256 of 224 x 224", self=uniform((256, 3, 224, 224), 0.0, 60.0, dtype=fp16)
    ),
)
