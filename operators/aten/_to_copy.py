"""aten::_to_copy."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import DeviceArgument, Layout, MemoryFormat, Tier
from kgb_core.operators.cases import (
    ANY_LAYOUT,
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
    integers,
    literally,
    nan,
    normal,
    shapes,
    sprinkle,
    u8,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Strides, Work, operator
from kgb_operators.families import RANK_6, unary

FORMATS = [OMIT, MemoryFormat.PRESERVE, MemoryFormat.CONTIGUOUS]


# Exact: a conversion rounds to nearest, ties to even. The float64 that become half precision here are whole
# numbers, which float32 holds: PyTorch rounds twice, by way of float32, and once would be as right.
@operator("aten::_to_copy", numeric=Exact(), work=Work.MOVEMENT, strides=Strides.EXACT)
def _to_copy(
    self: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """A copy in another type, memory format or on another device; a copy even where nothing changes."""
    copied: torch.Tensor = torch.ops.aten._to_copy.default(
        self,
        dtype=dtype,
        layout=layout,
        device=device,
        pin_memory=pin_memory,
        non_blocking=non_blocking,
        memory_format=memory_format,
    )
    return copied


_to_copy.check(
    unary(FLOATING),
    grid("floats", self=normal((9, 57)), dtype=[fp16, bf16, fp32], dtypes=FLOATING),
    grid("to float64", self=normal((9, 57)), dtype=fp64, dtypes=(*FLOATING, fp64)),
    grid("from float64", self=normal((9, 57), dtype=fp64), dtype=[fp32]),
    grid("from float64", self=integers((9, 57), -70000, 70000, dtype=fp64), dtype=[fp16, bf16]),
    grid(
        "to integers, towards zero",
        self=uniform((9, 57), -127, 127),
        dtype=[i8, i32, i64],
        dtypes=(*FLOATING, fp64),
    ),
    grid("to bytes", self=uniform((9, 57), 0, 255), dtype=u8, dtypes=(fp16, fp32)),
    grid(
        "from integers",
        self=integers((9, 57), -100, 101),
        dtype=[fp16, fp32, i64],
        dtypes=(i8, i32, i64),
    ),
    grid("from bytes", self=integers((9, 57), 0, 256, dtype=u8), dtype=[fp16, bf16, fp32, i32]),
    grid(
        "integers that don't fit wrap",
        self=integers((9, 57), -(2**40), 2**40, dtype=i64),
        dtype=[i8, i16, i32, u8],
    ),
    grid("from bools", self=integers((9, 57), dtype=boolean), dtype=[fp16, fp32, i8, i64]),
    grid("to bools", self=integers((9, 57), -1, 2), dtype=boolean, dtypes=(fp16, fp32, i8, i64)),
    grid(
        "to bools: fractions, NaN and -0",
        self=literally((6,), 0.25, -0.0, 0.0, nan, inf, -1e-3),
        dtype=boolean,
        dtypes=(fp16, fp32),
    ),
)
_to_copy.check(
    grid("specials", self=sprinkle((9, 57)), dtype=[fp16, bf16, fp32, fp64], dtypes=(fp16, fp32)),
    case(
        "ties go to even",
        self=literally((8,), 2049, 2051, 4098, -2049, 4102, 65519, 65520, 257, dtype=fp32),
        dtype=fp16,
    ),
    case("large integers", self=integers((9, 57), -(2**52), 2**52, dtype=i64), dtype=fp32),
    grid(
        "memory format",
        self=shapes((7, 33), RANK_6),
        memory_format=FORMATS[1:],
        dtypes=(fp32,),
        layouts=ANY_LAYOUT[1:],
    ),
    grid(
        "memory format and type",
        self=normal((2, 3, 5, 7)),
        dtype=[OMIT, fp16],
        memory_format=[*FORMATS, MemoryFormat.CHANNELS_LAST],
        dtypes=(fp32,),
        layouts=(Layout.CONTIGUOUS, Layout.CHANNELS_LAST),
    ),
    case("on the device where it is", self=normal((9, 57), dtype=fp32), device=DeviceArgument(), dtype=fp16),
    case("not blocking", self=normal((9, 57), dtype=fp32), non_blocking=True),
    grid(
        "transposed, odd",
        self=normal((1023, 1025)),
        dtype=[OMIT, fp32],
        memory_format=MemoryFormat.CONTIGUOUS,
        dtypes=(fp16,),
        layouts=ANY_LAYOUT[1:3],
        tier=Tier.STANDARD,
    ),
)
_to_copy.perf(
    case(
        "Llama-3-8B down projection, master weights to bf16",
        self=normal((4096, 14336), dtype=fp32),
        dtype=bf16,
    ),
    weight=3,
)
_to_copy.perf(
    case("Llama-3-8B logits to fp32, 1024 tokens", self=normal((1024, 128256), dtype=bf16), dtype=fp32),
    case(
        "ImageNet images to fp32, batch 256", self=integers((256, 3, 224, 224), 0, 256, dtype=u8), dtype=fp32
    ),
    case(
        "ResNet-50 first layer to channels last, batch 128",
        self=normal((128, 64, 112, 112), dtype=fp16),
        memory_format=MemoryFormat.CHANNELS_LAST,
    ),
    case(
        "Llama-3-8B transposed keys made contiguous, 8 sequences of 2048",
        self=normal((8, 8, 128, 2048), dtype=fp16, layout=Layout.TRANSPOSED),
        memory_format=MemoryFormat.CONTIGUOUS,
    ),
)
