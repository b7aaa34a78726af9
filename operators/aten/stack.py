"""aten::stack."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
    boolean,
    c64,
    c128,
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
    normal,
    shapes,
    sprinkle,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Work, operator


@operator("aten::stack", numeric=Exact(), work=Work.MOVEMENT)
def stack(tensors: list[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """Tensors of one shape side by side along a new dimension, in the type that all of them promote to."""
    return torch.stack(tensors, dim)


OTHERS = (fp64, u8, i8, i16, i32, i64, boolean, c64, c128)

stack.check(
    grid(tensors=[[normal((5, 33))] * 2], dim=[OMIT, 1, 2, -1, -2], dtypes=FLOATING, layouts=ANY_LAYOUT[:2]),
    grid(tensors=[[normal((5, 33))] * 3], dim=[0, 1, -1], dtypes=(fp16, fp32), layouts=ANY_LAYOUT[2:]),
    grid("any type", tensors=[shapes((5, 7), (5, 7), values=Integers())], dim=1, dtypes=OTHERS),
    grid("numbers that fill their type", tensors=[[integers((3, 5), -(2**62), 2**62)] * 2], dtypes=(i64,)),
    grid(
        "vectors", tensors=[[normal((17,))] * 2], dim=[0, 1, -2], dtypes=(fp16, fp32), layouts=ANY_LAYOUT[2:]
    ),
    grid("numbers", tensors=[[normal(())] * 5], dim=[OMIT, -1], dtypes=FLOATING),
    grid("of one element", tensors=[[normal((1, 1))] * 3], dim=[0, 1, 2], dtypes=(fp32,)),
    grid(
        "rank 6",
        tensors=[[normal((2, 3, 2, 3, 2, 5))] * 2],
        dim=[0, 3, -1],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid("one tensor alone", tensors=[[normal((7, 9))]], dim=[0, 2], dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid("eleven tensors", tensors=[[normal((3, 5))] * 11], dim=[0, 1, 2], dtypes=(fp16, fp32)),
    grid(
        "the channels of images",
        tensors=[[normal((2, 3, 4, 5))] * 2],
        dim=[0, 1, 4],
        dtypes=(fp16, fp32),
        layouts=(Layout.CHANNELS_LAST,),
    ),
    grid(
        "each laid out its own way",
        tensors=[[normal((6, 33), dtype=fp32, layout=layout) for layout in ANY_LAYOUT]],
        dim=[0, 1, 2],
    ),
    grid("empty", tensors=[[normal((0, 3))] * 2, [normal((2, 0))]], dim=[0, 2], dtypes=(fp32,)),
    grid("half and float", tensors=[[normal((3, 5), dtype=fp16), normal((3, 5), dtype=fp32)]], dim=[0, 2]),
    case(
        "two kinds of half make float",
        tensors=[normal((3, 5), dtype=fp16), normal((3, 5), dtype=bf16)],
        dim=1,
    ),
    case("whole and half", tensors=[integers((3, 5), dtype=i64), normal((3, 5), dtype=fp16)], dim=1),
    case("bool and float", tensors=[normal((3, 5), dtype=boolean), normal((3, 5), dtype=fp32)], dim=1),
    case("bool, byte and int", tensors=[normal((2, 5), dtype=t) for t in (boolean, i8, i32)], dim=0),
    case("bytes with and without sign", tensors=[integers((2, 5), 0, 120, dtype=t) for t in (u8, i8)]),
    case(
        "two types in other layouts",
        tensors=[normal((5, 6), dtype=fp16, layout=Layout.TRANSPOSED), normal((5, 6), dtype=fp32)],
        dim=1,
    ),
    grid("NaN, Inf, denormals, -0.0", tensors=[[sprinkle((7, 9))] * 2], dim=1, dtypes=(fp16, fp32, fp64)),
    case("an odd length", tensors=[normal((10_007,), dtype=fp16)] * 2, dim=-1),
    grid(
        "1M elements",
        tensors=[[normal((1023, 513))] * 2],
        dim=[0, 1, 2],
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published",
        tensors=[[normal((20, 320, 15))] * 3],
        dim=[-2, -1, 0, 1],
        dtypes=(*FLOATING, i16, i32),
        tier=Tier.STANDARD,
    ),
)
stack.perf(
    grid(
        "DLRM features: 26 embeddings and the dense one side by side, batch 16384",
        tensors=[[normal((16384, 128))] * 27],
        dim=1,
        dtypes=HALF,
    ),
    grid(
        "Llama-3-8B rotary halves interleaved, 32 heads, 8192 tokens",
        tensors=[[normal((1, 32, 8192, 64))] * 2],
        dim=-1,
        dtypes=HALF,
    ),
    weight=2,
)
stack.perf(
    case(
        "ResNet-50 images of a batch, 32 of 3 x 224 x 224",
        tensors=[normal((3, 224, 224), dtype=fp32)] * 32,
        dim=0,
    ),
    case(
        "Llama-3-8B keys and values of a layer as one cache, 8192 tokens",
        tensors=[normal((8192, 8, 128), dtype=fp32)] * 2,
        dim=0,
    ),
)
