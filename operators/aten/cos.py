"""aten::cos."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.values import Normal
from kgb_core.operators.cases import (
    FLOATING,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i32,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import unary


# CUDA's cosf is right within 2 ulps. Near its zeros a cosine is as ill-conditioned as its argument is large:
# there the rounding of the input, once to float32, decides.
@operator("aten::cos", numeric=Elementwise(ulps=2.0, input_ulps=1.0))
def cos(self: torch.Tensor) -> torch.Tensor:
    """The cosine of every element, in radians; integers give floats."""
    return torch.cos(self)


cos.check(
    unary(FLOATING, Normal(std=3)),
    grid("type", self=normal((9, 57), 0, 3), dtypes=(fp64,)),
    grid("integers", self=integers((9, 57), -20, 21), dtypes=(i8, i32, i64, u8, boolean)),
    grid("special values", self=sprinkle((9, 57)), dtypes=(*FLOATING, fp64)),
    grid("one period after another", self=uniform((37, 53), -100, 100), dtypes=(fp16, fp32, fp64)),
    case("arguments up to 30000", self=uniform((37, 53), -3e4, 3e4, dtype=fp32)),
    case("infinities have no cosine", self=literally((6,), inf, -inf, nan, 0.0, -0.0, 2.0, dtype=fp32)),
    case(
        "at the zeros",
        self=literally(
            (6,),
            1.5707963267948966,
            -1.5707963267948966,
            4.71238898038469,
            7.853981633974483,
            710.0,
            22.0,
            dtype=fp32,
        ),
    ),
    case("small arguments", self=uniform((5, 33), -0.02, 0.02, dtype=fp32)),
)
cos.perf(
    grid(
        "Llama-3-8B rotary angles, 131072 positions",
        self=uniform((1, 131072, 128), 0, 131072),
        dtypes=(fp32,),
    ),
    weight=3,
)
cos.perf(
    case(
        "NeRF positional encoding, 4096 rays of 192 samples, 30 frequencies",
        self=normal((4096, 192, 30), 0, 100, dtype=fp32),
    ),
    case(
        "random Fourier features of MNIST, 60000 images, 4096 features",
        self=normal((60000, 4096), 0, 3, dtype=fp16),
    ),
    case(
        "Qwen2-7B rotary angles, 131072 positions in bf16", self=uniform((1, 131072, 128), 0, 100, dtype=bf16)
    ),
)
