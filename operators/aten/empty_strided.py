"""aten::empty_strided."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.models.case import DeviceArgument
from kgb_core.operators.cases import (
    FLOATING,
    OMIT,
    bf16,
    boolean,
    c64,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    i8,
    i32,
    i64,
    u8,
)
from kgb_core.operators.rules import MetadataOnly
from kgb_core.operators.spec import Kind, Strides, Work, operator

DEVICE = DeviceArgument()
"""Named in every case: without it, ATen would make the tensor on the host."""


@operator(
    "aten::empty_strided",
    numeric=MetadataOnly(),
    kind=Kind.UNINITIALISED,
    work=Work.FILLING,
    strides=Strides.EXACT,
)
def empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A tensor of these sizes and strides with undefined contents; overlap and holes are allowed."""
    return torch.empty_strided(size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


# The strides are what tells: most cases have some that no contiguous tensor has.
empty_strided.check(
    grid(
        "column-major",
        size=[[7, 129]],
        stride=[[1, 7]],
        dtype=[*FLOATING, fp64, i8, i32, i64, u8, boolean, c64],
        device=DEVICE,
    ),
    grid("padded rows", size=[[5, 13]], stride=[[16, 1]], dtype=list(FLOATING), device=DEVICE),
    grid("every second element", size=[[33]], stride=[[2]], dtype=[fp16, fp32], device=DEVICE),
    grid("dtype left out", size=[[4, 6]], stride=[[1, 4], [8, 1]], dtype=[None, OMIT], device=DEVICE),
    grid(
        "every option given as its default",
        size=[[3, 5]],
        stride=[[1, 3]],
        dtype=[None, fp16],
        layout=None,
        device=DEVICE,
        pin_memory=[None, False],
    ),
    grid("one memory for all rows", size=[[4, 9]], stride=[[0, 1], [0, 0]], dtype=[fp32, i64], device=DEVICE),
    case("rows that overlap", size=[6, 8], stride=[3, 1], dtype=fp32, device=DEVICE),
    case("dimensions in turned order", size=[2, 3, 5, 7], stride=[1, 2, 42, 6], dtype=fp16, device=DEVICE),
    case("channels last", size=[2, 3, 5, 7], stride=[105, 1, 21, 3], dtype=fp32, device=DEVICE),
    case("holes in each dimension", size=[2, 3, 4], stride=[50, 14, 3], dtype=bf16, device=DEVICE),
    case("rank 6, reversed", size=[2, 3, 1, 2, 3, 2], stride=[1, 2, 6, 6, 12, 36], dtype=fp32, device=DEVICE),
    case("contiguous vector", size=[1024], stride=[1], dtype=fp16, device=DEVICE),
    case("contiguous, rank 3", size=[8, 16, 4], stride=[64, 4, 1], dtype=fp32, device=DEVICE),
    case("0-d", size=[], stride=[], dtype=fp32, device=DEVICE),
    case("one element, any stride", size=[1, 1], stride=[99, 7], dtype=fp32, device=DEVICE),
    grid("empty", size=[[0, 5], [5, 0]], stride=[[7, 1], [1, 5]], dtype=[fp32, i64], device=DEVICE),
)
empty_strided.perf(
    case(
        "Llama-3-8B key cache, head-major, 8 sequences of 8192",
        size=[8, 8192, 8, 128],
        stride=[8_388_608, 128, 1_048_576, 1],
        dtype=bf16,
        device=DEVICE,
    ),
    case(
        "ResNet-50 activations after conv1, channels last, batch 256",
        size=[256, 64, 112, 112],
        stride=[802_816, 1, 7168, 64],
        dtype=fp16,
        device=DEVICE,
    ),
    case(
        "GPT-2 logits with rows padded to 50304, 1024 tokens",
        size=[1024, 50_257],
        stride=[50_304, 1],
        dtype=fp32,
        device=DEVICE,
    ),
)
