"""aten::upsample_nearest2d_backward."""

from __future__ import annotations

import math

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Integers, Uniform, Values
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
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
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _copies(call: Bound) -> int:
    """How often the most copied pixel was copied, about."""
    return math.prod(
        math.ceil(grown / max(1, size)) + 1
        for grown, size in zip(call["output_size"], call["input_size"][2:], strict=True)
    )


@operator("aten::upsample_nearest2d_backward", numeric=Reduction(ulps=1.0, accumulation=2.0, terms=_copies))
def upsample_nearest2d_backward(
    grad_output: torch.Tensor,
    output_size: list[int],
    input_size: list[int],
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> torch.Tensor:
    """The gradient of images resized by copying the nearest pixel: each adds up those copied from it.

    Output pixel i came from input pixel floor(i * input size / output size), or floor(i / scale) where a
    scale is given, at most the last one.
    """
    found: torch.Tensor = torch.ops.aten.upsample_nearest2d_backward.default(
        grad_output, output_size, input_size, scales_h, scales_w
    )
    return found


IMAGES = (*ANY_LAYOUT, Layout.CHANNELS_LAST)
Size = tuple[int, int]


def _resized(
    title: str,
    planes: Size,
    *sizes: tuple[Size, Size],
    dtypes: tuple[DType, ...] = FLOATING,
    layouts: tuple[Layout, ...] = (Layout.CONTIGUOUS,),
    values: Values | None = None,
    tier: Tier = Tier.SMOKE,
) -> list[Case]:
    """Gradients of images resized from one size to the other, n and channels of `planes`."""
    return [
        made
        for before, after in sizes
        for made in grid(
            title,
            grad_output=tensor((*planes, *after), values) if values else normal((*planes, *after)),
            output_size=[list(after)],
            input_size=[[*planes, *before]],
            dtypes=dtypes,
            layouts=layouts,
            tier=tier,
        )
    ]


upsample_nearest2d_backward.check(
    _resized("twice", (2, 3), ((5, 7), (10, 14)), layouts=IMAGES),
    _resized("four and three times", (2, 3), ((4, 5), (16, 15)), layouts=IMAGES, dtypes=(fp16, fp32)),
    _resized("odd ratios", (2, 3), ((3, 5), (7, 8)), ((4, 3), (11, 13)), layouts=IMAGES[2:], dtypes=(fp32,)),
    _resized("smaller", (2, 3), ((9, 11), (5, 4)), ((8, 8), (4, 2)), dtypes=(fp16, fp32)),
    _resized(
        "one side only", (2, 3), ((5, 7), (10, 7)), ((5, 7), (5, 21)), ((8, 3), (4, 9)), dtypes=(fp16, fp32)
    ),
    _resized("the same size: a copy", (2, 3), ((5, 7), (5, 7)), dtypes=(fp16, fp32), layouts=IMAGES[2:]),
    _resized("from one pixel", (2, 3), ((1, 1), (9, 11)), ((1, 3), (5, 6)), dtypes=(fp32,)),
    _resized("to one pixel", (2, 3), ((5, 7), (1, 1)), dtypes=(fp32,)),
    _resized("by seven, whose reciprocal rounds", (1, 2), ((7, 3), (49, 21)), dtypes=(fp32,)),
    _resized("float64", (2, 3), ((5, 7), (10, 14)), ((3, 5), (7, 8)), dtypes=(fp64,), layouts=IMAGES),
    _resized("small whole numbers", (2, 3), ((5, 7), (10, 14)), ((3, 5), (7, 8)), values=Integers()),
    _resized("of one sign", (1, 2), ((3, 4), (27, 28)), values=Uniform()),
    _resized("many channels", (1, 65), ((3, 3), (6, 6)), layouts=IMAGES[::4]),
    grid(
        "scales given",
        grad_output=normal((2, 3, 10, 9)),
        output_size=[[10, 9]],
        input_size=[[2, 3, 4, 4]],
        scales_h=[2.5, OMIT],
        scales_w=[2.25, 2.4, None],
        dtypes=(fp16, fp32),
    ),
    grid(
        "scales of two",
        grad_output=normal((2, 3, 10, 14)),
        output_size=[[10, 14]],
        input_size=[[2, 3, 5, 7]],
        scales_h=2.0,
        scales_w=2.0,
        dtypes=FLOATING,
        layouts=IMAGES[::4],
    ),
    _resized("empty", (0, 3), ((5, 7), (10, 14)), dtypes=(fp32,)),
    [
        case(
            "NaN and Inf",
            grad_output=sprinkle((2, 3, 10, 14), nan, inf, -inf, dtype=dtype, share=0.05),
            output_size=[10, 14],
            input_size=[2, 3, 5, 7],
        )
        for dtype in FLOATING
    ],
    _resized("1 M elements", (4, 16), ((63, 65), (126, 130)), tier=Tier.STANDARD, layouts=IMAGES),
    _resized(
        "as published",
        (4, 8),
        ((24, 48), (16, 32)),
        ((128, 256), (64, 128)),
        ((64, 128), (128, 256)),
        tier=Tier.STANDARD,
    ),
)
upsample_nearest2d_backward.perf(
    grid(
        "Stable Diffusion v1 U-Net, 640 channels from 32 to 64, batch 8",
        grad_output=normal((8, 640, 64, 64)),
        output_size=[[64, 64]],
        input_size=[[8, 640, 32, 32]],
        scales_h=2.0,
        scales_w=2.0,
        dtypes=HALF,
    ),
    weight=2,
)
upsample_nearest2d_backward.perf(
    case(
        "FPN of Mask R-CNN, 256 channels from 100 x 152 to 200 x 304, batch 2",
        grad_output=normal((2, 256, 200, 304), dtype=fp32),
        output_size=[200, 304],
        input_size=[2, 256, 100, 152],
    ),
    case(
        "YOLOv3 neck, 128 channels from 26 to 52, batch 64, channels last",
        grad_output=normal((64, 128, 52, 52), dtype=fp16, layout=Layout.CHANNELS_LAST),
        output_size=[52, 52],
        input_size=[64, 128, 26, 26],
        scales_h=2.0,
        scales_w=2.0,
    ),
    case(
        "ProGAN image as a new layer fades in, from 512 to 1024, batch 8",
        grad_output=normal((8, 3, 1024, 1024), dtype=bf16),
        output_size=[1024, 1024],
        input_size=[8, 3, 512, 512],
    ),
)
