"""aten::full."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import DeviceArgument, Tier
from kgb_core.operators.cases import (
    FLOATING,
    OMIT,
    bf16,
    boolean,
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
    nan,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator

DEVICE = DeviceArgument()
"""Named in every case: without it, ATen would make the tensor on the host."""


@operator("aten::full", numeric=Exact(), kind=Kind.FACTORY, work=Work.FILLING, strides=Strides.EXACT)
def full(
    size: Sequence[int],
    fill_value: float,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A contiguous tensor with `fill_value` everywhere; without a dtype, bool, int64 or the default float."""
    return torch.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


full.check(
    grid(
        size=[[7, 129]],
        fill_value=[3.1415926, 2],
        dtype=[u8, i8, i16, i32, i64, *FLOATING, fp64],
        device=DEVICE,
    ),
    grid(size=[[33], [2, 3, 5, 7]], fill_value=[-1.5, 7], dtype=[fp16, fp32, i32], device=DEVICE),
    grid("dtype from the value", size=[[5, 13]], fill_value=[-7, 2.5, 2**40 + 1], device=DEVICE),
    grid("bool from the value", size=[[5, 13]], fill_value=[True, False], device=DEVICE, telling=False),
    grid("dtype is None", size=[[41]], fill_value=[11, -0.125], dtype=None, device=DEVICE),
    grid(
        "every option given as its default",
        size=[[6, 7]],
        fill_value=[5, 0.75],
        dtype=[None, fp16],
        layout=None,
        device=DEVICE,
        pin_memory=[None, False],
    ),
    grid(
        "NaN and Inf",
        size=[[3, 11]],
        fill_value=[nan, inf, -inf],
        dtype=[*FLOATING, fp64],
        device=DEVICE,
    ),
    grid(
        "values that one type less would round",
        size=[[17]],
        fill_value=[0.1, -1e300, 5e-324, 2**53 - 1],
        dtype=fp64,
        device=DEVICE,
    ),
    grid("denormals of float32", size=[[29]], fill_value=[1e-40, -1.5e-45], dtype=fp32, device=DEVICE),
    grid("the ends of half", size=[[29]], fill_value=[65504.0, -65504.0, 6e-8], dtype=fp16, device=DEVICE),
    grid(
        "the ends of int64",
        size=[[19]],
        fill_value=[2**63 - 1, -(2**63), 2**53 + 1, -(2**31) - 1],
        dtype=[i64, OMIT],
        device=DEVICE,
    ),
    grid(
        "floats towards zero",
        size=[[23]],
        fill_value=[-3.75, 3.75],
        dtype=[i8, i32, i64],
        device=DEVICE,
    ),
    grid(
        "truth of a number",
        size=[[31]],
        fill_value=[nan, -1, 0.0],
        dtype=boolean,
        device=DEVICE,
        telling=False,
    ),
    grid("0-d", size=[[]], fill_value=[-4.5, 9], dtype=[fp16, fp32, i64, OMIT], device=DEVICE),
    grid("one element", size=[[1], [1, 1, 1]], fill_value=6.25, dtype=[fp16, fp32], device=DEVICE),
    grid("empty", size=[[0], [0, 5], [5, 0]], fill_value=1.5, device=DEVICE),
    case("rank 6", size=[2, 1, 3, 2, 1, 5], fill_value=-0.5, dtype=bf16, device=DEVICE),
    case("a size that no block divides", size=[16_411], fill_value=1.25, dtype=fp32, device=DEVICE),
    grid(
        "1 M elements, as published",
        size=[[1023, 1025], [20, 320, 15], [16, 7, 57, 32, 29]],
        fill_value=[3.1415926, 2],
        dtype=[boolean, i64, *FLOATING, fp64],
        device=DEVICE,
        tier=Tier.STANDARD,
    ),
)
full.perf(
    grid(
        "Llama-3-8B causal mask before its triangle is cut, 8192 tokens",
        size=[[8192, 8192]],
        fill_value=-65504.0,
        dtype=[fp16, bf16],
        device=DEVICE,
    ),
    weight=2,
)
full.perf(
    case(
        "Llama-3-8B logits filter of 256 sequences",
        size=[256, 128_256],
        fill_value=-inf,
        dtype=fp32,
        device=DEVICE,
    ),
    case(
        "BERT-large pre-training labels to be ignored, batch 8192, 512 tokens",
        size=[8192, 512],
        fill_value=-100,
        dtype=i64,
        device=DEVICE,
    ),
    case(
        "BERT-large masking probabilities, batch 8192, 512 tokens",
        size=[8192, 512],
        fill_value=0.15,
        device=DEVICE,
    ),
)
