"""aten::cat."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
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


@operator("aten::cat", numeric=Exact(), work=Work.MOVEMENT)
def cat(tensors: list[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """The tensors one after another along `dim`, in the type that all of them promote to.

    They agree in every other size. An empty tensor of one dimension goes with any: it only lends its type.
    """
    return torch.cat(tensors, dim)


OTHERS = (fp64, u8, i8, i16, i32, i64, boolean, c64, c128)
CHANNELS_LAST = Layout.CHANNELS_LAST

cat.check(
    grid(tensors=[shapes((3, 65), (4, 65))], dim=[OMIT, 0, -2], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(tensors=[shapes((9, 17), (9, 1), (9, 30))], dim=[1, -1], dtypes=FLOATING, layouts=ANY_LAYOUT),
    grid(tensors=[shapes((2, 3, 5, 7), (2, 4, 5, 7))], dim=1, dtypes=(fp16, fp32), layouts=ANY_LAYOUT),
    grid("any type", tensors=[shapes((5, 3), (5, 4), values=Integers())], dim=1, dtypes=OTHERS),
    grid("numbers that fill their type", tensors=[[integers((3, 5), -(2**62), 2**62)] * 2], dtypes=(i64,)),
    grid("each dimension of three", tensors=[[normal((3, 4, 5))] * 2], dim=[0, 1, 2, -3], dtypes=(fp32,)),
    grid(
        "rank 6",
        tensors=[shapes((2, 3, 2, 3, 2, 5), (2, 3, 2, 1, 2, 5))],
        dim=3,
        dtypes=(fp32,),
        layouts=ANY_LAYOUT,
    ),
    grid("one tensor alone is copied", tensors=[shapes((7, 9))], dim=1, dtypes=(fp32,), layouts=ANY_LAYOUT),
    grid("eleven tensors", tensors=[shapes(*[(3, n) for n in range(1, 12)])], dim=1, dtypes=(fp16, fp32)),
    grid(
        "eleven of different height", tensors=[shapes(*[(n, 3) for n in range(1, 12)])], dim=0, dtypes=(fp32,)
    ),
    grid("one dimension", tensors=[shapes((1,), (257,), (30,))], dtypes=(fp32, i64), layouts=ANY_LAYOUT),
    grid(
        "the channels of images",
        tensors=[shapes((2, 3, 4, 5), (2, 6, 4, 5))],
        dim=1,
        dtypes=(fp16, fp32),
        layouts=(CHANNELS_LAST,),
    ),
    case(
        "each laid out its own way",
        tensors=[
            normal((6, 33), dtype=fp32),
            normal((6, 40), dtype=fp32, layout=Layout.TRANSPOSED),
            normal((6, 17), dtype=fp32, layout=Layout.STRIDED),
            normal((6, 9), dtype=fp32, layout=Layout.EXPANDED),
        ],
        dim=1,
    ),
    case(
        "channels last and first",
        tensors=[normal((2, 3, 4, 5), dtype=fp32, layout=CHANNELS_LAST), normal((2, 3, 4, 5), dtype=fp32)],
        dim=1,
    ),
    grid("some of them empty", tensors=[shapes((0, 3), (2, 3), (0, 3))], dim=0, dtypes=(fp32,)),
    grid("all of them empty", tensors=[shapes((0, 3), (0, 3)), shapes((0,), (0,))], dim=0, dtypes=(fp32,)),
    grid(
        "an empty one of one dimension", tensors=[shapes((0,), (2, 3), (2, 4))], dim=[1, -1], dtypes=(fp32,)
    ),
    case("which lends its type", tensors=[normal((0,), dtype=fp64), normal((2, 3), dtype=fp32)], dim=1),
    case("half and float", tensors=[normal((3, 5), dtype=fp16), normal((3, 4), dtype=fp32)], dim=1),
    case(
        "two kinds of half make float",
        tensors=[normal((3, 5), dtype=fp16), normal((3, 4), dtype=HALF[1])],
        dim=1,
    ),
    case("whole and half", tensors=[integers((3, 5), dtype=i64), normal((3, 4), dtype=fp16)], dim=1),
    case("bool and float", tensors=[normal((3, 5), dtype=boolean), normal((3, 4), dtype=fp32)], dim=1),
    case("bool, byte and int", tensors=[normal((2, 5), dtype=t) for t in (boolean, i8, i32)], dim=0),
    case("bytes with and without sign", tensors=[integers((2, 5), 0, 120, dtype=t) for t in (u8, i8)], dim=0),
    case(
        "two types in other layouts",
        tensors=[normal((5, 6), dtype=fp16, layout=Layout.TRANSPOSED), normal((5, 6), dtype=fp32)],
        dim=1,
    ),
    grid(
        "NaN, Inf, denormals, -0.0",
        tensors=[[sprinkle((7, 9)), sprinkle((7, 3))]],
        dim=1,
        dtypes=(fp16, fp32, fp64),
    ),
    case(
        "an odd length",
        tensors=[normal((10_007,), dtype=fp16), normal((7,), dtype=fp16), normal((3001,), dtype=fp16)],
    ),
    grid(
        "1M elements",
        tensors=[shapes((1023, 1025), (1023, 257))],
        dim=1,
        dtypes=FLOATING,
        layouts=ANY_LAYOUT,
        tier=Tier.STANDARD,
    ),
    grid(
        "many rows",
        tensors=[shapes((200_000, 3), (200_000, 1))],
        dim=1,
        dtypes=(fp32, i64),
        tier=Tier.STANDARD,
    ),
)
cat.perf(
    grid(
        "Llama-3-8B key cache grows by a token, batch 32 at 4096",
        tensors=[shapes((32, 8, 4095, 128), (32, 8, 1, 128))],
        dim=2,
        dtypes=HALF,
    ),
    weight=2,
)
cat.perf(
    case(
        "Stable Diffusion v1 U-Net skip connection, batch 16",
        tensors=[normal((16, 320, 64, 64), dtype=fp32), normal((16, 320, 64, 64), dtype=fp32)],
        dim=1,
    ),
    case(
        "DLRM features: 26 embeddings and the dense one, batch 16384",
        tensors=[normal((16384, 128), dtype=fp16)] * 27,
        dim=1,
    ),
    case(
        "Llama-3-8B rotary halves, 32 heads, 8192 tokens",
        tensors=[normal((1, 32, 8192, 64), dtype=fp16)] * 2,
        dim=-1,
    ),
)
