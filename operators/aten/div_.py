"""aten::div_."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    SPECIALS,
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    literally,
    normal,
    shapes,
    u8,
    uniform,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import operator
from kgb_operators.families import RANK_6, VIEWS, Operands, promoted, same_type

REALS = Operands()
WHOLE = Operands(left=Integers(low=-100, high=101), right=Integers(low=2, high=9))
CLEAR = Operands(left=Integers(low=-100, high=101), right=Integers(low=7, high=10))
ROUNDED = ["trunc", "floor"]


# The bound is that of aten::div, which says where it comes from and why half precision is rounded from few
# values only.
@operator("aten::div_", numeric=Elementwise(ulps=1.0, input_ulps=2.0), mutates=("self",))
def div_(
    self: torch.Tensor, other: torch.Tensor | float, *, rounding_mode: str | None = None
) -> torch.Tensor:
    """self /= other, broadcast to self, computed in the promoted type; returns self.

    Integers need a `rounding_mode`: "trunc" (towards zero) or "floor" (down).
    """
    return self.div_(other, rounding_mode=rounding_mode)


div_.check(
    grid(**REALS.of((37, 53), (37, 53)), dtypes=FLOATING, layouts=DENSE_LAYOUT),
    [
        made
        for view in VIEWS
        for own in DENSE_LAYOUT
        for made in grid("mixed layouts", **REALS.of((19, 31), (19, 31), (own, view)), dtypes=(fp32,))
    ],
    grid(
        "broadcast", self=normal((5, 7, 11)), other=shapes((), (1,), (11,), (7, 1), (5, 1, 1)), dtypes=(fp32,)
    ),
    grid("rank 6", **REALS.of(RANK_6, (3, 1, 5, 1, 3)), dtypes=(fp32,)),
    grid("rank 6, strided", **REALS.of(RANK_6, RANK_6, (Layout.STRIDED, Layout.TRANSPOSED)), dtypes=(fp16,)),
    case("channels last", self=normal((2, 3, 5, 7), dtype=fp16, layout=Layout.CHANNELS_LAST), other=3),
    grid("0-d", **REALS.of((), ()), dtypes=(fp32,)),
    grid("one element", **REALS.of((1,), (1,)), dtypes=(fp32,)),
    grid("empty", self=normal((0, 3)), other=shapes((3,), (1, 1)), dtypes=(fp32,)),
    same_type(REALS, (fp64,)),
    promoted(WHOLE, (fp16, fp32), (bf16, fp16), (fp32, i64), (fp32, u8), (fp16, fp64)),
    grid(
        "every special value with every other",
        self=literally((9, 9), *[value for value in SPECIALS for _ in SPECIALS]),
        other=literally((1, 9), *SPECIALS),
        dtypes=FLOATING,
    ),
    grid("number", self=normal((9, 57)), other=[0.001, -0.999, 100.001, -112], dtypes=(fp32, fp64)),
    grid("number", self=normal((9, 57)), other=[0.625, -112], dtypes=HALF),
)
div_.check(
    grid(
        self=normal((9, 57), 0, 30),
        other=normal((9, 57)),
        rounding_mode=ROUNDED,
        dtypes=(fp32, fp64),
        layouts=DENSE_LAYOUT,
    ),
    grid(
        "halves", **CLEAR.of((9, 57), (9, 57)), rounding_mode=ROUNDED, dtypes=HALF, layouts=DENSE_LAYOUT[:2]
    ),
    grid("integers", **WHOLE.of((9, 57), (57,)), rounding_mode=ROUNDED, dtypes=(i8, i16, i32, i64, u8)),
    grid(
        "integers in place",
        **WHOLE.of((9, 57), (57,)),
        rounding_mode="floor",
        dtypes=(i32,),
        layouts=DENSE_LAYOUT[1:],
    ),
    case("a smaller type keeps its own", **CLEAR.typed(i8, i64, (9, 57), (57,)), rounding_mode="floor"),
    case("halves by integers", **CLEAR.typed(fp16, i32, (9, 57), (57,)), rounding_mode="trunc"),
    grid(
        "signs and remainders of integers",
        self=literally((9, 6), *[n for n in (-9, -8, -7, -1, 0, 1, 7, 8, 9) for _ in range(6)]),
        other=literally((1, 6), -8, -3, -1, 1, 3, 8),
        rounding_mode=ROUNDED,
        dtypes=(i8, i64, fp32),
    ),
    grid(
        "beyond what float32 and float64 hold",
        self=literally((5,), 2**53 - 1, -(2**53) + 1, 2**31, -(2**31) - 1, 16777217, dtype=i64),
        other=literally((5,), 3, 7, -5, 2, 16777216, dtype=i64),
        rounding_mode=ROUNDED,
    ),
    grid("number", self=normal((9, 57), 0, 30), other=[-2.5, 7], rounding_mode=ROUNDED, dtypes=(fp32,)),
    grid("number", self=integers((9, 57), -100, 101), other=-7, rounding_mode=ROUNDED, dtypes=(*HALF, i32)),
)
div_.perf(
    grid(
        "BERT-base attention scores over the root of 64, 32 sequences of 512",
        self=normal((32, 12, 512, 512)),
        other=8.0,
        dtypes=HALF,
    ),
    weight=3,
)
div_.perf(
    case(
        "GPT-2 token embedding's gradient, mean of 8 workers", self=normal((50_257, 768), dtype=fp32), other=8
    ),
    case(
        "CLIP ViT-B/32 image embeddings over their norms, a million",
        self=normal((1_000_000, 512), dtype=fp16),
        other=uniform((1_000_000, 1), 1, 20, dtype=fp16),
    ),
    case(
        "ImageNet images over the deviation of each channel, batch 256",
        self=normal((256, 3, 224, 224), dtype=fp32),
        other=uniform((3, 1, 1), 0.2, 0.3, dtype=fp32),
    ),
    case(
        "Llama-3-8B logits over the temperature, batch 512",
        self=normal((512, 128_256), dtype=bf16),
        other=0.75,
    ),
)
