"""Cases that operators share which write to the elements that index tensors name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
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
    integers,
    literally,
    normal,
    permutation,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Reduction
from kgb_operators.indexing import IN_ANY_LAYOUT, NOTHING, RANK_6, WAYS, Indices, Naming, numbers, rearranged


def writes() -> list[Case]:
    """Cases for an operator that writes `values` to the elements of `self` that `indices` name.

    Without `accumulate` no element is named twice: which value stays is undefined.
    """
    whole = (fp64, i8, i16, i32, i64, u8, boolean, c64)
    pair: list[Indices] = [[numbers(11, 9)], [numbers(11, 9), None]]
    typed: dict[str, Any] = {"self": integers((11, 23), 0, 60), "values": integers((9, 23), 0, 60)}
    special: dict[str, Any] = {"self": sprinkle((9, 41)), "values": sprinkle((9, 30))}
    return [
        *_each(_written(way, (fp16, fp32)) for way in WAYS),
        *_each(_written(way, (bf16,), accumulate=[False, True]) for way in WAYS[:2]),
        *_each(_written(way, (fp32,), layouts=DENSE_LAYOUT[1:], accumulate=[False, True]) for way in _SOME),
        *_each(_written(way, (fp32,), accumulate=[True, False]) for way in (*IN_ANY_LAYOUT, *RANK_6)),
        *_each(_written(way, (fp32,), layouts=DENSE_LAYOUT[2:]) for way in RANK_6),
        *_each(_written(way, (fp32,)) for way in (rearranged(65), rearranged(33, 7))),
        *grid("every element type", **typed, indices=pair, accumulate=[OMIT, True], dtypes=whole),
        *grid("NaN, Inf, -0.0", **special, indices=[[None, numbers(41, 30)]], dtypes=FLOATING),
        # With no index there is nothing to do, and the judge wants to see a kernel: that case can't be told.
        *grid("nothing there", **_nothing(NOTHING[1])),
        *_broadcast_values(),
        *_duplicates(),
        *_masks(),
        *_large(),
    ]


_SOME = (WAYS[0], WAYS[1], WAYS[4], WAYS[7], WAYS[8])


def _written(
    way: Naming, dtypes: Sequence[DType], *, layouts: Sequence[Layout] = DENSE_LAYOUT[:1], **more: Any
) -> list[Case]:
    return [
        made
        for layout in layouts
        for made in grid(
            way.title,
            self=normal(way.shape, layout=layout),
            indices=[way.indices],
            values=normal(way.result),
            dtypes=dtypes,
            **more,
        )
    ]


def _nothing(way: Naming) -> dict[str, Any]:
    return {
        "self": normal(way.shape, dtype=fp32),
        "indices": [way.indices],
        "values": normal(way.result, dtype=fp32),
    }


def _broadcast_values() -> list[Case]:
    """Values that broadcast to what is named, in several layouts."""
    apart: Indices = [numbers(9, 7), None, numbers(13, 7)]
    values = [normal(shape) for shape in ((), (1,), (5,), (7, 1), (1, 5))]
    laid_out = [normal((7, 5), layout=layout) for layout in ANY_LAYOUT[1:]]
    return grid(
        "broadcast values",
        self=normal((9, 5, 13)),
        indices=[apart],
        values=[*values, *laid_out],
        accumulate=[False, True],
        dtypes=(fp32,),
    )


def _duplicates() -> list[Case]:
    """Elements named more than once, each time added.

    The half types get few numbers of one sign: where a native implementation rounds after each of them, that
    stays within the bound.
    """
    few = literally((12,), 0, 4, 0, 2, -1, 2, 6, 1, -5, 5, -7, 3, dtype=i64)
    many: list[Indices] = [
        [integers((40,), -7, 7, dtype=i64)],
        [None, integers((3, 20), -33, 33, dtype=i32)],
        [integers((40,), 0, 7, dtype=i64), integers((40,), 0, 3, dtype=i64)],
    ]
    values = [normal((40, 33)), normal((7, 3, 20)), normal((40,))]
    return [
        *grid(
            "duplicates of one sign",
            self=uniform((8, 33)),
            indices=[[few]],
            values=uniform((12, 33)),
            accumulate=True,
            dtypes=FLOATING,
        ),
        *_each(
            grid(
                "duplicates",
                self=normal((7, 33)),
                indices=[i],
                values=v,
                accumulate=True,
                dtypes=(fp32, fp64),
            )
            for i, v in zip(many, values, strict=True)
        ),
        *grid(
            "whole duplicates, which wrap",
            self=integers((7, 33), 0, 100),
            indices=[many[0]],
            values=integers((40, 33), 0, 100),
            accumulate=True,
            dtypes=(i8, u8, i16, i32, i64),
        ),
        *grid(
            "all to one element",
            self=normal((5,)),
            indices=[[fill((300,), -2, dtype=i64)]],
            values=uniform((300,)),
            accumulate=True,
            dtypes=(fp32,),
        ),
    ]


def _masks() -> list[Case]:
    """Masks with values that are the same for every element named: nothing has to be counted for those."""
    mask, rows = integers((9, 13), dtype=boolean), integers((9,), dtype=boolean)
    return [
        *grid(
            "a mask",
            self=normal((9, 13)),
            indices=[[mask]],
            values=[uniform((), 2, 9), uniform((1,), 2, 9)],
            accumulate=[False, True],
            dtypes=(fp16, fp32, i32),
            layouts=DENSE_LAYOUT,
        ),
        *grid(
            "a mask of rows", self=normal((9, 13)), indices=[[rows]], values=normal((1, 13)), dtypes=FLOATING
        ),
        *grid(
            "a mask behind and in front",
            self=normal((4, 9, 13, 3), dtype=fp32),
            indices=[[None, mask]],
            values=[normal((4, 1, 3), dtype=fp32), normal((3,), dtype=fp32)],
            accumulate=[False, True],
        ),
    ]


def _large() -> list[Case]:
    """Cases for a chip."""
    long = integers((100_000,), -1023, 1023, dtype=i64)
    rows: Indices = [permutation((1023,), dtype=i64)]
    return [
        *grid(
            "1 M elements",
            self=normal((1023, 1025)),
            indices=[rows, [None, numbers(1025, 1000)]],
            values=normal((1,)),
            accumulate=[False, True],
            dtypes=FLOATING,
            layouts=DENSE_LAYOUT,
            tier=Tier.STANDARD,
        ),
        *grid(
            "many duplicates",
            self=normal((1023, 5), dtype=fp32),
            indices=[[long]],
            values=normal((100_000, 5), dtype=fp32),
            accumulate=True,
            tier=Tier.STANDARD,
        ),
        case(
            "elements beyond 2**31",
            self=uniform((66_000, 33_000), -100, 100, dtype=i8),
            indices=[literally((3,), 65_999, 65_077, 3, dtype=i64), literally((3,), 32_999, 5, 7, dtype=i64)],
            values=literally((3,), 101, 102, 103, dtype=i8),
            tier=Tier.FULL,
        ),
    ]


def _each(groups: Iterable[list[Case]]) -> list[Case]:
    return [made for group in groups for made in group]


def writes_of_models() -> list[Case]:
    """What models write: caches by slot, gradients of tables by entry."""
    slots: Indices = [permutation((16_384,), dtype=i64)]
    return [
        *grid(
            "Llama-3-8B keys of 16384 tokens into their cache slots",
            self=normal((16_384, 8, 128)),
            indices=[slots],
            values=normal((16_384, 8, 128)),
            dtypes=HALF,
        ),
        case(
            "GPT-2 gradient of the token table, 16 sequences of 1024",
            self=normal((50_257, 768), dtype=fp32),
            indices=[integers((16, 1024), 0, 50_257, dtype=i64)],
            values=normal((16, 1024, 768), dtype=fp32),
            accumulate=True,
        ),
        case(
            "Mixtral-8x7B outputs of experts added to their tokens, 8192 with 2 experts each",
            self=normal((8192, 4096), dtype=fp32),
            indices=[integers((16_384,), 0, 8192, dtype=i64)],
            values=normal((16_384, 4096), dtype=fp32),
            accumulate=True,
        ),
        case(
            "BERT-base tokens masked out, a mask over 64 sequences of 512",
            self=normal((64, 512, 768), dtype=fp16),
            indices=[integers((64, 512), dtype=boolean)],
            values=normal((768,), dtype=fp16),
        ),
    ]


def rounding() -> Reduction:
    """How writes are judged: sums by what was added in any order; a value that is only written is one term.

    The two ulps are for native sums of half types, which may round after each number.
    """
    return Reduction(ulps=2.0, accumulation=2.0, terms=_terms)


def _terms(call: Bound) -> int:
    named = [index.numel() for index in call["indices"] if index is not None]
    return 1 + max(named) if call["accumulate"] else 1
