"""aten::sin."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Integers, Normal
from kgb_core.operators.cases import (
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    literally,
    nan,
    normal,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import real_function


# CUDA's sinf is right within 2 ulps. Near its zeros a sine is as ill-conditioned as its argument is large:
# there the rounding of the input, once to float32, decides.
@operator("aten::sin", numeric=Elementwise(ulps=2.0, input_ulps=1.0))
def sin(self: torch.Tensor) -> torch.Tensor:
    """The sine of every element, in radians; integers give floats."""
    return torch.sin(self)


sin.check(
    real_function(Normal(std=3), Integers(low=-20, high=21)),
    grid("one period after another", self=uniform((37, 53), -100, 100), dtypes=(fp16, fp32, fp64)),
    case("arguments up to 30000", self=uniform((37, 53), -3e4, 3e4, dtype=fp32)),
    case("infinities have no sine", self=literally((6,), inf, -inf, nan, 0.5, -0.25, 2.0, dtype=fp32)),
    case(
        "at the zeros",
        self=literally(
            (6,),
            3.1415927410125732,
            -3.1415927410125732,
            6.2831854820251465,
            9.42477798461914,
            355.0,
            22.0,
            dtype=fp32,
        ),
    ),
    case("small, where it is almost its argument", self=uniform((5, 33), 0.005, 0.02, dtype=fp32)),
)
sin.perf(
    grid(
        "Llama-3-8B rotary angles, 131072 positions",
        self=uniform((1, 131072, 128), 0, 131072),
        dtypes=(fp32,),
    ),
    weight=3,
)
sin.perf(
    case(
        "SIREN hidden layer, 512 x 512 image, 256 features, frequency 30",
        self=normal((512 * 512, 256), 0, 30, dtype=fp32),
    ),
    case(
        "NeRF positional encoding, 4096 rays of 192 samples, 30 frequencies",
        self=normal((4096, 192, 30), 0, 100, dtype=fp16),
    ),
    case(
        "Qwen2-7B rotary angles, 131072 positions in bf16", self=uniform((1, 131072, 128), 0, 100, dtype=bf16)
    ),
)
