"""aten::reflection_pad1d_backward."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Integers, Normal, Uniform, Values
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    nan,
    normal,
    sprinkle,
    tensor,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _three(call: Bound) -> int:
    return 3


# At most three numbers are added. Native kernels round each sum to half types, so these get numbers of one
# sign, whose partial sums are no larger than the sum: two roundings are then at most an ulp.
@operator("aten::reflection_pad1d_backward", numeric=Reduction(ulps=1.0, accumulation=2.0, terms=_three))
def reflection_pad1d_backward(
    grad_output: torch.Tensor, self: torch.Tensor, padding: list[int]
) -> torch.Tensor:
    """The gradient of a line padded by its own reflection: each place adds up where it was copied to.

    `padding` is left and right; the first and the last element are not repeated. Negative padding cuts off.
    Of `self` only the shape counts.
    """
    found: torch.Tensor = torch.ops.aten.reflection_pad1d_backward.default(grad_output, self, padding)
    return found


Shape = tuple[int, ...]


def _padded(
    title: str,
    shape: Shape,
    *paddings: tuple[int, int],
    dtypes: tuple[DType, ...] = FLOATING,
    values: Values | None = None,
    tier: Tier = Tier.SMOKE,
    every_layout: bool = False,
) -> list[Case]:
    """Gradients for a line of `shape` under each padding; of half types, of one sign."""
    return [
        made
        for left, right in paddings
        for dtype in dtypes
        for made in grid(
            title,
            grad_output=tensor(
                (*shape[:-1], shape[-1] + left + right), values or (Uniform() if dtype in HALF else Normal())
            ),
            self=normal(shape),
            padding=[[left, right]],
            dtypes=(dtype,),
            layouts=ANY_LAYOUT if every_layout else ANY_LAYOUT[:1],
            tier=tier,
        )
    ]


reflection_pad1d_backward.check(
    _padded("", (2, 3, 17), (1, 1), (5, 3), (16, 16), every_layout=True),
    _padded("no batch", (5, 33), (2, 3), (0, 7), (7, 0), every_layout=True),
    _padded("float64", (2, 3, 17), (4, 6), (16, 0), dtypes=(fp64,), every_layout=True),
    _padded("small whole numbers", (2, 3, 17), (5, 3), (16, 16), values=Integers()),
    _padded("no padding: a copy", (2, 3, 17), (0, 0), dtypes=(fp16, fp32)),
    _padded("two elements", (7, 9, 2), (1, 1), (1, 0), (0, 1), dtypes=(fp16, fp32)),
    _padded("one element, nothing to reflect", (7, 9, 1), (0, 0), dtypes=(fp32,)),
    _padded("cut off", (2, 3, 17), (-1, 2), (3, -4), (-2, -3), dtypes=(fp16, fp32)),
    _padded("a line longer than a block", (1, 2, 4099), (31, 4098), (1, 0), dtypes=(fp16, fp32)),
    _padded("many short lines", (31, 17, 3), (2, 2)),
    _padded("empty", (0, 3, 7), (1, 1), dtypes=(fp32,)),
    [
        case(
            "NaN and Inf",
            grad_output=sprinkle((2, 3, 25), nan, inf, -inf, dtype=dtype, share=0.1),
            self=normal((2, 3, 17), dtype=dtype),
            padding=[4, 4],
        )
        for dtype in FLOATING
    ],
    case(
        "two that overflow together",
        grad_output=uniform((2, 3, 25), 30_000, 40_000, dtype=fp16),
        self=normal((2, 3, 17), dtype=fp16),
        padding=[4, 4],
    ),
    _padded("1 M elements", (32, 31, 1025), (100, 1024), tier=Tier.STANDARD, every_layout=True),
    _padded("as published", (32, 64, 512), (1, 1), (2, 3), (5, 5), tier=Tier.STANDARD),
)
reflection_pad1d_backward.perf(
    grid(
        "MelGAN last layer, 32 channels of 8192 samples, padded by 3, batch 64",
        grad_output=normal((64, 32, 8198)),
        self=normal((64, 32, 8192)),
        padding=[[3, 3]],
        dtypes=(fp16, fp32),
    ),
)
reflection_pad1d_backward.perf(
    case(
        "EnCodec 24 kHz last layer, 32 channels of a second, padded by 6 to the left, batch 32",
        grad_output=normal((32, 32, 24_006), dtype=bf16),
        self=normal((32, 32, 24_000), dtype=bf16),
        padding=[6, 0],
    ),
    case(
        "Hybrid Demucs STFT, 10 seconds in stereo at 44.1 kHz, padded by half of 4096, batch 16",
        grad_output=normal((16, 2, 445_096), dtype=fp32),
        self=normal((16, 2, 441_000), dtype=fp32),
        padding=[2048, 2048],
    ),
)
