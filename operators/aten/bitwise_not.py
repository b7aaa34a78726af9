"""aten::bitwise_not."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.models.values import Integers
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    boolean,
    case,
    fill,
    grid,
    i8,
    i16,
    i32,
    i64,
    integers,
    literally,
    shapes,
    tensor,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator
from kgb_operators.families import RANK_6, VIEWS

WIDE = Integers(low=-100, high=101)
TYPES = (i8, i16, i32, i64, u8)


@operator("aten::bitwise_not", numeric=Exact())
def bitwise_not(self: torch.Tensor) -> torch.Tensor:
    """Every element with its bits turned over, of bools the other one; in its own type."""
    return torch.bitwise_not(self)


bitwise_not.check(
    grid(self=tensor((37, 53), WIDE), dtypes=(*TYPES, boolean), layouts=ANY_LAYOUT),
    grid("0-d", self=fill((), 5), dtypes=TYPES),
    grid("0-d: True or False", self=[fill((), True), fill((1,), False)], dtypes=(boolean,), telling=False),
    grid("one element", self=fill((1, 1), -7), dtypes=(i32, i64)),
    grid("empty", self=shapes((0,), (3, 0, 5), values=WIDE), dtypes=(i32, boolean)),
    grid("odd sizes", self=shapes((3, 5, 7), (1021,), RANK_6, values=WIDE), dtypes=(i32, boolean)),
    grid("odd sizes", self=shapes((3, 5, 7), RANK_6, values=WIDE), dtypes=(i16,), layouts=VIEWS),
    case("channels last", self=tensor((2, 3, 5, 7), WIDE, i32, Layout.CHANNELS_LAST)),
    case("all bits of int64", self=integers((9, 57), -(2**62), 2**62, dtype=i64)),
    case("extremes", self=literally((5,), -128, 127, 0, -1, 85, dtype=i8)),
    case("extremes of int32", self=literally((5,), -(2**31), 2**31 - 1, 0, -1, 85, dtype=i32)),
    case("extremes of uint8", self=literally((4,), 0, 255, 170, 1, dtype=u8)),
    grid("million", self=tensor((1_000_003,), WIDE), dtypes=(*TYPES, boolean), tier=Tier.STANDARD),
    grid("odd", self=tensor((1023, 1025), WIDE), dtypes=(i32, boolean), layouts=VIEWS, tier=Tier.STANDARD),
)
bitwise_not.perf(
    case("BERT-large attention mask, 32 sequences of 512", self=integers((32, 1, 512, 512), dtype=boolean)),
    case(
        "Llama-3-8B causal mask at 8192 tokens",
        self=integers((1, 1, 8192, 8192), dtype=boolean),
    ),
    case(
        "Cityscapes instance ids, 32 images of 1024 x 2048",
        self=integers((32, 1024, 2048), 0, 33_000, dtype=i32),
    ),
    case(
        "bit-packed binary weights of a Llama-3-8B down projection",
        self=integers((4096, 1792), 0, 256, dtype=u8),
    ),
    case(
        "MinHash signatures of 4 million documents, 16 words",
        self=integers((4_000_000, 16), 0, 2**61, dtype=i64),
    ),
)
