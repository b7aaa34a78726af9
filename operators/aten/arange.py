"""aten::arange."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Tier
from kgb_core.operators.cases import (
    FLOATING,
    OMIT,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i16,
    i32,
    i64,
    u8,
)
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import DEVICE


@operator(
    "aten::arange",
    # start + step * i in float32 rounds start, step, product and sum: 3 half ulps and more where the sum lies
    # at the lower end of its binade. Where terms cancel that is no bound, so cases that cross zero have
    # numbers that float32 holds.
    numeric=Elementwise(ulps=3.0),
    kind=Kind.FACTORY,
    work=Work.FILLING,
    strides=Strides.EXACT,
)
def arange(
    start: float,
    end: float,
    step: float = 1,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """start, start + step, start + 2 step and so on, up to `end` and without it.

    Without a dtype it is int64 if all three are whole, else the default float.
    """
    return torch.arange(start, end, step, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


WHOLE = [i16, i32, i64]

arange.check(
    grid(start=[0, 3], end=[128, 255], step=[1, 5], dtype=[*FLOATING, *WHOLE, None], device=DEVICE),
    grid("step left out", start=[0, -5, 7], end=[131], step=OMIT, dtype=[OMIT, fp32, i32], device=DEVICE),
    grid("bytes", start=[0, 3], end=[100, 127], step=[1, 7], dtype=[i8, u8], device=DEVICE),
    grid("float64", start=[0, 0.1], end=[99, 100.5], step=[1, 0.3], dtype=fp64, device=DEVICE),
    grid(
        "downwards", start=[100, 65], end=[-3, 0], step=[-1, -7], dtype=[fp32, i32, i64, OMIT], device=DEVICE
    ),
    grid(
        "across zero",
        start=[-8, -3.5],
        end=[8, 5.25],
        step=[0.5, 0.25],
        dtype=[*FLOATING, fp64, OMIT],
        device=DEVICE,
    ),
    grid("fractions", start=[0.5, 2.7], end=[9.3], step=[0.1, 0.7], dtype=[fp16, fp32, OMIT], device=DEVICE),
    grid("below zero", start=-0.5, end=-9.3, step=[-0.1, -0.7], dtype=[fp32, fp64], device=DEVICE),
    grid("one type of three is float", start=[0, 0.0], end=[33, 33.0], step=[1, 1.0], device=DEVICE),
    grid("an end that is met", start=1, end=[1.3, 1.4, 2], step=[0.1], dtype=[fp32, fp64], device=DEVICE),
    grid("two and three elements", start=[4], end=[6, 7, 6.5], device=DEVICE),
    grid("large", start=[2**24 - 9], end=[2**24 + 9], dtype=[fp32, i32, OMIT], device=DEVICE),
    case("beyond int32", start=2**31 - 9, end=2**31 + 9, device=DEVICE),
    case("beyond what a double holds", start=2**53 - 3, end=2**53 + 9, device=DEVICE),
    case("a step beyond int32", start=-(2**40), end=2**40, step=2**35 + 1, device=DEVICE),
    grid("tiny steps", start=0, end=[1e-3], step=[1e-5, 3e-5], dtype=[fp32, fp64], device=DEVICE),
    grid("one element", start=[5, -2.5], end=[5.5, 5.75], step=[100], dtype=[fp32, OMIT], device=DEVICE),
    case("empty", start=5, end=5, device=DEVICE),
    case("empty of floats", start=2.5, end=2.5, step=-0.5, device=DEVICE),
    grid(
        "fractions to whole numbers",
        start=[0.5, 2.9],
        end=[9.9],
        step=[1.5, 2],
        dtype=[i32, i64],
        device=DEVICE,
    ),
    grid(
        "every option given as its default",
        start=0,
        end=[9, 9.5],
        step=1,
        dtype=[None, fp16],
        layout=None,
        device=DEVICE,
        pin_memory=[None, False],
    ),
    case("a size that no block divides", start=0, end=16_411, device=DEVICE),
    grid(
        "a million",
        start=[0, 3],
        end=[1_000_003],
        step=[1, 3],
        dtype=[fp32, fp64, i32, i64],
        device=DEVICE,
        tier=Tier.STANDARD,
    ),
    grid(
        "four million, by quarters",
        start=3,
        end=1_000_003,
        step=0.25,
        dtype=[fp32, fp64],
        device=DEVICE,
        tier=Tier.STANDARD,
    ),
)
arange.perf(
    case("Llama-3-8B positions of 1024 sequences of 8192, packed", start=0, end=8_388_608, device=DEVICE),
    case(
        "DLRM offsets of pooled embeddings, 26 tables, batch 262144",
        start=0,
        end=6_815_745,
        dtype=i32,
        device=DEVICE,
    ),
    case(
        "GPT-2 positions of 16384 sequences of 1024, as floats",
        start=0,
        end=16_777_216,
        dtype=fp32,
        device=DEVICE,
    ),
)
