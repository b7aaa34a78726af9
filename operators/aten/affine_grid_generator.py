"""aten::affine_grid_generator."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    bf16,
    case,
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
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _terms(call: Bound) -> int:
    return len(call["size"]) - 1


def _sums(theta: torch.Tensor, size: list[int], align_corners: bool) -> torch.Tensor:
    """Sums of magnitudes: coordinates are up to 1, of either sign."""
    sides = size[2:]
    total = theta.abs().sum(-1)
    return total.reshape(size[0], *[1] * len(sides), len(sides)).expand(size[0], *sides, len(sides))


# Three or four terms of up to the map's own magnitude, and a coordinate that a few operations have rounded.
# Native kernels round the coordinates of half types to these types: their cases have coordinates that stay
# exact, or shifts so large that the coordinates' rounding is far below the result's.
@operator(
    "aten::affine_grid_generator",
    numeric=Reduction(ulps=1.0, accumulation=2.0, terms=_terms, magnitude=_sums),
)
def affine_grid_generator(theta: torch.Tensor, size: list[int], align_corners: bool) -> torch.Tensor:
    """For each pixel of an image the place that the affine map `theta` takes it to, in coordinates x, y[, z].

    Coordinates go from -1 to 1, the middles of the outermost pixels with `align_corners`, else their edges.
    `size` is that of a batch of images, or of volumes; where a side has one pixel its coordinate is 0.
    """
    found: torch.Tensor = torch.ops.aten.affine_grid_generator.default(theta, size, align_corners)
    return found


def _maps(
    title: str,
    *sizes: Sequence[int],
    dtypes: tuple[DType, ...] = (fp32,),
    align: Sequence[bool] = (True, False),
    tier: Tier = Tier.SMOKE,
) -> list[Case]:
    """Random maps of images of each size."""
    return [
        made
        for size in sizes
        for made in grid(
            title,
            theta=normal((size[0], len(size) - 2, len(size) - 1)),
            size=[list(size)],
            align_corners=list(align),
            dtypes=dtypes,
            layouts=DENSE_LAYOUT,
            tier=tier,
        )
    ]


# A shift of 5 to 7 beside other parts of at most 0.04.
_SHIFTS = literally((2, 2, 3), *(0.04, -0.02, 5.3, 0.01, 0.03, -6.7, -0.03, 0.02, -5.1, 0.02, -0.04, 6.2))

affine_grid_generator.check(
    _maps("", (2, 3, 7, 9), (3, 1, 16, 17), (1, 2, 5, 64), dtypes=(fp32, fp64)),
    _maps("volumes", (2, 3, 4, 5, 7), (1, 1, 8, 3, 9), dtypes=(fp32, fp64)),
    _maps("exact coordinates", (2, 3, 9, 17), (1, 2, 33, 5), dtypes=FLOATING, align=[True]),
    _maps("volumes, exact coordinates", (2, 1, 3, 5, 9), dtypes=FLOATING, align=[True]),
    _maps("sides of one pixel", (2, 1, 1, 7), (2, 1, 7, 1), (1, 1, 2, 1, 3)),
    # CPUs have no zero-step coordinates in half types.
    _maps("one pixel: the shift alone", (3, 1, 1, 1), dtypes=(fp32, fp64)),
    grid(
        "the identity",
        theta=literally((1, 2, 3), 1, 0, 0, 0, 1, 0),
        size=[[1, 1, 5, 9]],
        align_corners=[True, False],
        dtypes=(fp32, fp64),
    ),
    grid(
        "far away",
        theta=_SHIFTS,
        size=[[2, 3, 7, 10]],
        align_corners=[True, False],
        dtypes=HALF,
    ),
    grid(
        "whole numbers", theta=integers((3, 2, 3)), size=[[3, 1, 5, 9]], align_corners=True, dtypes=FLOATING
    ),
    grid(
        "more pixels than a block",
        theta=normal((2, 2, 3)),
        size=[[2, 3, 37, 41]],
        align_corners=False,
        dtypes=(fp32,),
    ),
    grid("empty", theta=normal((0, 2, 3), dtype=fp32), size=[[0, 1, 4, 4]], align_corners=[True, False]),
    grid(
        "NaN and Inf in the map",
        theta=sprinkle((4, 2, 3), nan, inf, share=0.2),
        size=[[4, 1, 4, 6]],
        align_corners=False,
        dtypes=(fp32, fp64),
    ),
    _maps("1 M elements", (4, 3, 255, 511), (2, 1, 31, 129, 65), tier=Tier.STANDARD),
    _maps("as published", (4, 3, 128, 256), (2, 3, 64, 64), (2, 1, 8, 16, 16), tier=Tier.STANDARD),
)
affine_grid_generator.perf(
    case(
        "Spatial transformer over ImageNet images, 224 x 224, batch 256",
        theta=normal((256, 2, 3), dtype=fp32),
        size=[256, 3, 224, 224],
        align_corners=False,
    ),
    case(
        "StyleGAN3 training augmentation at 1024 x 1024, batch 32",
        theta=normal((32, 2, 3), dtype=fp32),
        size=[32, 3, 1024, 1024],
        align_corners=False,
    ),
    case(
        "VoxelMorph affine registration of brains, 160 x 192 x 224, two volumes",
        theta=normal((2, 3, 4), dtype=fp32),
        size=[2, 1, 160, 192, 224],
        align_corners=True,
    ),
    case(
        "The same images in bfloat16, with corners aligned, 257 x 257",
        theta=normal((256, 2, 3), dtype=bf16),
        size=[256, 3, 257, 257],
        align_corners=True,
    ),
)
