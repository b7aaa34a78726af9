"""aten::im2col."""

from __future__ import annotations

from typing import Any

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    bf16,
    c64,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    normal,
    sprinkle,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator


@operator("aten::im2col", numeric=Exact(), work=Work.MOVEMENT)
def im2col(
    self: torch.Tensor, kernel_size: list[int], dilation: list[int], padding: list[int], stride: list[int]
) -> torch.Tensor:
    """Every patch of an image (or of each image of a batch) under a window of `kernel_size` as a column.

    The window's elements are `dilation` apart, its places `stride`; `padding` zeros surround the image.
    """
    found: torch.Tensor = torch.ops.aten.im2col.default(self, kernel_size, dilation, padding, stride)
    return found


def _window(
    kernel: tuple[int, int],
    dilation: tuple[int, int] = (1, 1),
    padding: tuple[int, int] = (0, 0),
    stride: tuple[int, int] = (1, 1),
) -> dict[str, Any]:
    """The four arguments, down and right."""
    return {
        "kernel_size": [list(kernel)],
        "dilation": [list(dilation)],
        "padding": [list(padding)],
        "stride": [list(stride)],
    }


def _plain(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value[0] for name, value in arguments.items()}


IMAGES = (*ANY_LAYOUT, Layout.CHANNELS_LAST)

im2col.check(
    grid(self=normal((2, 3, 7, 9)), **_window((3, 3), padding=(1, 1)), dtypes=FLOATING, layouts=IMAGES),
    grid("one image", self=normal((3, 8, 5)), **_window((3, 2)), dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid("stride", self=normal((2, 3, 9, 11)), **_window((3, 3), stride=(2, 3)), dtypes=FLOATING),
    grid(
        "all different",
        self=normal((2, 3, 13, 17)),
        **_window((5, 4), (2, 3), (2, 1), (1, 2)),
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
    ),
    grid("dilation", self=normal((1, 2, 9, 9)), **_window((2, 3), dilation=(3, 2)), dtypes=(fp16, fp32)),
    grid("1 x 1", self=normal((2, 5, 4, 7)), **_window((1, 1)), dtypes=(fp32,), layouts=IMAGES[1:]),
    grid("the window is the image", self=normal((2, 3, 5, 7)), **_window((5, 7)), dtypes=(fp16, fp32)),
    grid("a row", self=normal((2, 3, 1, 40)), **_window((1, 5), padding=(0, 2)), dtypes=(fp32,)),
    grid("a column", self=normal((2, 3, 40, 1)), **_window((5, 1), padding=(2, 0)), dtypes=(fp32,)),
    grid(
        "more padding than image",
        self=normal((1, 2, 2, 3)),
        **_window((3, 3), padding=(4, 3)),
        dtypes=(fp32,),
    ),
    grid(
        "more stride than window",
        self=normal((2, 2, 11, 13)),
        **_window((2, 2), stride=(4, 5)),
        dtypes=(fp32,),
    ),
    grid("types", self=normal((2, 3, 6, 5)), **_window((2, 2), padding=(1, 0)), dtypes=(fp64, c64)),
    grid("NaN, Inf, -0.0", self=sprinkle((2, 3, 6, 7)), **_window((3, 3), padding=(1, 1)), dtypes=FLOATING),
    case("no images", self=normal((0, 3, 5, 5), dtype=fp32), **_plain(_window((3, 3)))),
    grid(
        "1 M elements",
        self=normal((4, 17, 127, 131)),
        **_window((3, 3), padding=(1, 1)),
        dtypes=FLOATING,
        layouts=IMAGES,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        self=normal((32, 128, 128)),
        **_window((5, 4), (2, 2), (2, 1), (1, 2)),
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
im2col.perf(
    grid(
        "ResNet-50 first stage, 3 x 3 over 64 channels of 56 x 56, batch 32",
        self=normal((32, 64, 56, 56)),
        **_window((3, 3), padding=(1, 1)),
        dtypes=HALF,
    ),
    weight=2,
)
im2col.perf(
    case(
        "ResNet-50 stem, 7 x 7 stride 2, batch 64",
        self=normal((64, 3, 224, 224), dtype=fp32),
        **_plain(_window((7, 7), padding=(3, 3), stride=(2, 2))),
    ),
    case(
        "ViT-B/16 patches, 16 x 16 of 224 x 224, batch 128",
        self=normal((128, 3, 224, 224), dtype=bf16),
        **_plain(_window((16, 16), stride=(16, 16))),
    ),
    case(
        "DeepLabV3 ASPP, dilation 12 over 2048 channels of 33 x 33, batch 2",
        self=normal((2, 2048, 33, 33), dtype=fp16),
        **_plain(_window((3, 3), dilation=(12, 12), padding=(12, 12))),
    ),
)
