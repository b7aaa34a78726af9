"""aten::scatter."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout, Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    HALF,
    boolean,
    c64,
    case,
    fill,
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
    literally,
    nan,
    normal,
    permutation,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_core.operators.spec import Work, operator
from kgb_operators.indexing import distinct


def _terms(call: Bound) -> int:
    return 1 + int(call["index"].numel()) if call["reduce"] else 1


# What is only moved is one term, and integers are exact in any case. The two ulps are for native reductions
# of half types, which round after each number; their cases name an element no more than three times.
@operator("aten::scatter", numeric=Reduction(ulps=2.0, accumulation=2.0, terms=_terms), work=Work.MOVEMENT)
def scatter(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    src: torch.Tensor | float,
    *,
    reduce: str | None = None,
) -> torch.Tensor:
    """A copy of `self` in which `index` says where along `dim` each element of `src` goes.

    In the other dimensions an element keeps its place. `src` may be one number for all. With `reduce`, "add"
    or "multiply", what comes is combined with what is there, duplicates included; without, no element may be
    named twice.
    """
    if reduce is None:
        return torch.scatter(self, dim, index, src)
    return torch.scatter(self, dim, index, src, reduce=reduce)


_FEW = literally((6, 33), *[place for place in (0, 4, 2, 2, 4, 8) for _ in range(33)], dtype=i64)
_FEW_ACROSS = literally((9, 6), 0, 31, 7, 7, 31, 12, dtype=i64)

scatter.check(
    grid(
        "down",
        self=normal((17, 33)),
        dim=[0, -2],
        index=distinct((11, 33), 0, 17),
        src=[normal((11, 33)), 2.5],
        dtypes=(fp16, fp32),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "across, by less than there is",
        self=normal((17, 33)),
        dim=[1, -1],
        index=distinct((13, 20), 1, 33),
        src=[normal((15, 25)), -7.0],
        dtypes=(fp16, fp32),
        layouts=ANY_LAYOUT,
    ),
    grid(
        "index in any layout",
        self=normal((9, 13), dtype=fp32),
        dim=1,
        index=[permutation((9, 13)).model_copy(update={"layout": Layout.EXPANDED, "dtype": i64})],
        src=normal((9, 13), dtype=fp32),
    ),
    *[
        grid(
            "3-d",
            self=normal((9, 5, 11)),
            dim=dim,
            index=distinct((4, 5, 7), dim, (9, 5, 11)[dim]),
            src=[normal((4, 5, 7)), normal((6, 5, 8)), 3],
            dtypes=(fp16, fp32),
        )
        for dim in range(3)
    ],
    grid(
        "rank 6, nothing merges",
        self=normal((2, 3, 2, 3, 2, 5), dtype=fp32, layout=Layout.STRIDED),
        dim=[3],
        index=distinct((2, 2, 2, 2, 2, 3), 3, 3).model_copy(update={"layout": Layout.STRIDED}),
        src=normal((2, 3, 2, 3, 2, 4), dtype=fp32),
    ),
    grid(
        "a vector",
        self=normal((37,)),
        dim=[0, -1],
        index=distinct((20,), 0, 37),
        src=normal((20,)),
        dtypes=FLOATING,
    ),
    grid(
        "a permutation",
        self=normal((65,)),
        dim=0,
        index=permutation((65,), dtype=i64),
        src=normal((65,)),
        dtypes=FLOATING,
    ),
    grid(
        "0-d",
        self=normal(()),
        dim=[0, -1],
        index=fill((), 0, dtype=i64),
        src=[normal(()), 2.5],
        dtypes=(fp32,),
    ),
    grid(
        "every element type",
        self=integers((11, 23), 0, 120),
        dim=1,
        index=distinct((11, 14), 1, 23),
        src=integers((11, 14), 0, 120),
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean, c64),
    ),
    grid(
        "a number in every type",
        self=integers((11, 23), 0, 60),
        dim=0,
        index=integers((4, 23), 0, 11, dtype=i64),
        src=[101, 1],
        dtypes=(fp64, i8, i16, i32, i64, u8, boolean),
    ),
    grid(
        "a number that only float64 holds",
        self=normal((7, 9)),
        dim=0,
        index=integers((3, 9), 0, 7, dtype=i64),
        src=[0.1, -1.0000001],
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "NaN and Inf as the number",
        self=normal((7, 9)),
        dim=0,
        index=integers((3, 9), 0, 7, dtype=i64),
        src=[nan, inf, -inf, -0.0],
        dtypes=FLOATING,
    ),
    grid(
        "NaN, Inf, denormals",
        self=sprinkle((9, 41)),
        dim=1,
        index=distinct((9, 30), 1, 41),
        src=sprinkle((9, 30)),
        dtypes=FLOATING,
    ),
    grid(
        "reduced, each once",
        self=normal((17, 33)),
        dim=0,
        index=distinct((11, 33), 0, 17),
        src=[normal((11, 33)), -2.5],
        reduce=["add", "multiply"],
        dtypes=FLOATING,
        layouts=(Layout.CONTIGUOUS, Layout.STRIDED),
    ),
    grid(
        "reduced, some twice and thrice",
        self=uniform((9, 33)),
        dim=[0],
        index=_FEW,
        src=[uniform((6, 33)), 1.7],
        reduce=["add", "multiply"],
        dtypes=(*FLOATING, fp64),
    ),
    grid(
        "reduced across",
        self=uniform((9, 33)),
        dim=1,
        index=_FEW_ACROSS,
        src=[uniform((9, 6)), 0.6],
        reduce=["add", "multiply"],
        dtypes=FLOATING,
    ),
    grid(
        "whole numbers reduced, which wrap",
        self=integers((7, 33), 1, 100),
        dim=0,
        index=integers((40, 33), 0, 7, dtype=i64),
        src=integers((40, 33), 3, 100),
        reduce="add",
        dtypes=(i8, u8, i16, i32, i64),
    ),
    grid(
        "whole numbers multiplied",
        self=integers((7, 33), 1, 100),
        dim=0,
        index=integers((6, 33), 0, 7, dtype=i64),
        src=integers((6, 33), 3, 30),
        reduce="multiply",
        dtypes=(i16, i32, i64),
    ),
    grid(
        "many added to few",
        self=normal((3, 17)),
        dim=0,
        index=integers((60, 17), 0, 3, dtype=i64),
        src=normal((60, 17)),
        reduce="add",
        dtypes=(fp32, fp64),
    ),
    grid(
        "all added to one",
        self=normal((3,)),
        dim=0,
        index=fill((300,), 1, dtype=i64),
        src=uniform((300,)),
        reduce="add",
        dtypes=(fp32,),
    ),
    grid(
        "no indices: a copy",
        self=normal((4, 5), dtype=fp32),
        dim=[0, 1],
        index=[integers((0, 5), 0, 4, dtype=i64), integers((4, 0), 0, 4, dtype=i64)],
        src=normal((4, 5), dtype=fp32),
    ),
    case(
        "nothing at all",
        self=normal((0, 5), dtype=fp32),
        dim=1,
        index=integers((0, 3), 0, 5, dtype=i64),
        src=normal((0, 3), dtype=fp32),
    ),
    grid(
        "1 M elements",
        self=normal((1023, 1025)),
        dim=1,
        index=permutation((1023, 1025), dtype=i64).model_copy(update={"layout": Layout.EXPANDED}),
        src=normal((1023, 1025)),
        reduce=[None, "add", "multiply"],
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
    grid(
        "as published, one number",
        self=normal((512, 128, 32)),
        dim=[0, 1, 2],
        index=integers((128, 16, 4), 0, 32, dtype=i64),
        src=1.5,
        dtypes=FLOATING,
        tier=Tier.STANDARD,
    ),
)
scatter.perf(
    case(
        "GPT-2 nucleus sampling, probabilities back into the vocabulary's order, 512 sequences",
        self=normal((512, 50_257), dtype=fp32),
        dim=1,
        index=permutation((512, 50_257), dtype=i64).model_copy(update={"layout": Layout.EXPANDED}),
        src=uniform((512, 50_257), dtype=fp32),
    ),
    grid(
        "Llama-3-8B logits, 1000 tokens banned in each of 256 sequences",
        self=normal((256, 128_256)),
        dim=1,
        index=integers((256, 1000), 0, 128_256, dtype=i64),
        src=-inf,
        dtypes=HALF,
    ),
    case(
        "GCN messages on ogbn-arxiv, added to 169343 nodes, 128 features, 200000 edges",
        self=normal((169_343, 128), dtype=fp32),
        dim=0,
        index=integers((200_000, 128), 0, 169_343, dtype=i64),
        src=normal((200_000, 128), dtype=fp32),
        reduce="add",
    ),
)
