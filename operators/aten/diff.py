"""aten::diff."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    boolean,
    c64,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    inf,
    integers,
    nan,
    normal,
    shapes,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import operator


def _sums(
    self: torch.Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: torch.Tensor | None = None,
    append: torch.Tensor | None = None,
) -> torch.Tensor:
    """What the differences add up when all is positive: sums of neighbours."""
    if not n:
        return self  # ATen then joins nothing to it either
    line = torch.cat([part for part in (prepend, self, append) if part is not None], dim)
    for _ in range(min(n, line.shape[dim])):
        line = line.narrow(dim, 1, line.shape[dim] - 1) + line.narrow(dim, 0, line.shape[dim] - 1)
    return line


def _passes(call: Bound) -> int:
    return int(call["n"])


# One subtraction rounds once. Each pass more rounds what the one before left, which the sums of neighbours
# measure; native kernels do so in the type of the result, so half types get numbers that stay exact there.
@operator("aten::diff", numeric=Reduction(ulps=1.0, accumulation=1.0, terms=_passes, magnitude=_sums))
def diff(
    self: torch.Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: torch.Tensor | None = None,
    append: torch.Tensor | None = None,
) -> torch.Tensor:
    """self[i + 1] - self[i] along `dim`, `n` times, with `prepend` before and `append` behind `self`.

    Bools give whether neighbours differ, whole numbers wrap, and types promote as `cat` has it. `n` of 0
    gives a copy of `self`, and one beyond its length nothing.
    """
    return torch.diff(self, n, dim, prepend, append)


diff.check(
    grid(self=normal((17, 33)), n=[OMIT, 1], dim=[OMIT, 0, -2], dtypes=FLOATING, layouts=ANY_LAYOUT[:3]),
    grid("the same row", self=normal((17, 33), layout=Layout.EXPANDED), dtypes=FLOATING),
    grid("3-d", self=normal((4, 5, 7)), dim=[0, 1, 2], dtypes=(fp16, fp32), layouts=ANY_LAYOUT[:3]),
    grid(
        "repeatedly",
        self=normal((9, 21)),
        n=[2, 3, 5],
        dim=[0, 1],
        dtypes=(fp32, fp64),
        layouts=ANY_LAYOUT[:3],
    ),
    grid("small whole numbers", self=integers((9, 21)), n=[2, 3], dim=[0, 1], dtypes=FLOATING),
    grid("a vector", self=shapes((2,), (37,), (1021,)), dtypes=FLOATING),
    grid("rank 6", self=normal((2, 3, 2, 3, 2, 5), dtype=fp32), dim=[0, 3, -1], layouts=ANY_LAYOUT[:3]),
    grid(
        "rank 6, nothing merges",
        self=normal((2, 3, 2, 3, 2, 5), layout=Layout.STRIDED),
        dim=[1, 5],
        dtypes=(fp16, fp32),
    ),
    grid(
        "whole numbers, which wrap", self=integers((11, 23), -100, 120), n=[1, 2], dtypes=(i8, i16, i32, i64)
    ),
    grid("without sign", self=integers((11, 23), 0, 200), n=[1, 2], dim=[0, 1], dtypes=(u8,)),
    grid("64 bits", self=integers((11, 23), -(2**62), 2**62), n=[1, 2], dtypes=(i64,)),
    grid("bool", self=integers((11, 23)), n=[1, 2], dim=[0, 1], dtypes=(boolean,)),
    grid("complex", self=normal((5, 9)), n=[1, 2], dim=[0, 1], dtypes=(c64,)),
    grid(
        "something before and behind",
        self=normal((9, 13)),
        n=[1],
        dim=1,
        prepend=[OMIT, normal((9, 1)), normal((9, 4))],
        append=[OMIT, normal((9, 3))],
        dtypes=FLOATING,
    ),
    grid(
        "before and behind, down and repeatedly",
        self=normal((9, 13)),
        n=[1, 2, 11],
        dim=0,
        prepend=normal((2, 13), layout=Layout.TRANSPOSED),
        append=[None, normal((1, 13))],
        dtypes=(fp32, fp64),
    ),
    grid("longer by what is empty", self=normal((9, 13)), dim=1, append=normal((9, 0)), dtypes=(fp32,)),
    case(
        "half and float",
        self=normal((5, 7), dtype=fp16),
        dim=1,
        prepend=normal((5, 2), dtype=fp32),
    ),
    case("whole and half", self=integers((5, 7), dtype=i32), dim=1, append=normal((5, 2), dtype=fp16)),
    case("bool and whole", self=integers((5, 7), dtype=boolean), dim=0, append=integers((1, 7), dtype=i16)),
    grid("no pass: a copy", self=normal((5, 7)), n=0, dim=[0, 1], dtypes=(fp32, i32), layouts=ANY_LAYOUT),
    grid("shorter than passes", self=normal((3, 7), dtype=fp32), n=[3, 4], dim=0),
    grid("empty", self=shapes((0, 5), (5, 0)), dim=[0, 1], dtypes=(fp32,)),
    grid("NaN and Inf", self=sprinkle((9, 41), nan, inf, -inf, -0.0, share=0.1), dim=[0, 1], dtypes=FLOATING),
    grid("overflow", self=sprinkle((9, 41), 65504.0, -65504.0, 1e-7, share=0.5), dtypes=(fp16,)),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        dim=[0, 1],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT[:3],
        tier=Tier.STANDARD,
    ),
    grid("5 M elements", self=normal((5_000_011,)), n=[1, 2], dtypes=(fp32,), tier=Tier.STANDARD),
)
diff.perf(
    grid(
        "Delta features of Whisper large-v3 input, 128 mel bands of 3000 frames, batch 32",
        self=normal((32, 128, 3000)),
        dim=-1,
        dtypes=HALF,
    ),
    grid(
        "Total variation loss of style transfer, image rows, 64 x 3 x 512 x 512",
        self=normal((64, 3, 512, 512)),
        dim=2,
        dtypes=(fp16, fp32),
    ),
)
diff.perf(
    case(
        "NeRF sample distances along 65536 rays, 192 samples each, with a last one behind",
        self=normal((65_536, 192), dtype=fp32),
        dim=-1,
        append=normal((65_536, 1), dtype=fp32),
    ),
    case(
        "DLRM bag lengths from offsets, 8 M bags",
        self=integers((8_388_608,), 0, 2**40, dtype=i64),
    ),
)
