"""Cases that operators share which copy: what a conversion must get right, and layouts that a copy turns."""

from __future__ import annotations

from dataclasses import dataclass

from kgb_core.models.case import Case, Layout, MemoryFormat, TensorSpec
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import (
    FLOATING,
    bf16,
    boolean,
    case,
    fp16,
    fp32,
    fp64,
    i8,
    i16,
    i32,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    sprinkle,
    u8,
    uniform,
)

CHANNELS_LAST = MemoryFormat.CHANNELS_LAST
IMAGES = (2, 3, 5, 7)


@dataclass(frozen=True)
class Conversion:
    """Elements of some types that become elements of others.

    Attributes:
        title: what is special about it.
        source: a template without a dtype.
        sources: the dtypes that it is tried with.
        targets: the dtypes that it is converted to.
    """

    title: str
    source: TensorSpec
    sources: tuple[DType, ...]
    targets: tuple[DType, ...]


# The float64 that become half precision are whole numbers, which float32 holds: PyTorch rounds twice, by way
# of float32, and once would be as right.
CONVERSIONS = (
    Conversion("floats", normal((9, 57)), (fp16, bf16), (fp32, fp64)),
    Conversion("to half", normal((9, 57)), (fp32,), (fp16, bf16)),
    Conversion("float64 to float32", normal((9, 57)), (fp64,), (fp32,)),
    Conversion("float64 to half", integers((9, 57), -70000, 70000), (fp64,), (fp16, bf16)),
    Conversion("to integers, towards zero", uniform((9, 57), -127, 127), (*FLOATING, fp64), (i8, i32, i64)),
    Conversion("to bytes", uniform((9, 57), 0, 255), (fp16, fp32), (u8,)),
    Conversion("from integers", integers((9, 57), -100, 101), (i8, i32, i64), (fp16, fp32)),
    Conversion("from bytes", integers((9, 57), 0, 256), (u8,), (fp16, bf16, fp32, i32)),
    Conversion("integers widen", integers((9, 57), -100, 101), (i8, i16, i32), (i64,)),
    Conversion(
        "integers that don't fit wrap", integers((9, 57), -(2**40), 2**40), (i64,), (i8, i16, i32, u8)
    ),
    Conversion("large integers", integers((9, 57), -(2**52), 2**52), (i64,), (fp32, fp64)),
    Conversion("from bools", integers((9, 57)), (boolean,), (fp16, fp32, i8, i64)),
    Conversion("to bools", integers((9, 57), -1, 2), (fp16, fp32, i8, i64), (boolean,)),
    Conversion(
        "to bools: fractions, NaN and -0",
        literally((6,), 0.25, -0.0, 0.0, nan, inf, -1e-3),
        (fp16, fp32),
        (boolean,),
    ),
    Conversion("NaN, Inf, denormals", sprinkle((9, 57)), (fp16, bf16), (fp32, fp64)),
    Conversion("NaN, Inf, denormals", sprinkle((9, 57)), (fp32,), (fp16, bf16, fp64)),
    Conversion(
        "ties go to even",
        literally((8,), 2049, 2051, 4098, -2049, 4102, 65519, 65520, 257),
        (fp32,),
        (fp16, bf16),
    ),
)


def layout_turns() -> list[Case]:
    """Tensors of real models, `self`, whose dimensions lie in another order than a contiguous copy's."""
    return [
        case(
            "Llama-3-8B keys transposed for the scores, 8 sequences of 2048",
            self=normal((8, 8, 128, 2048), dtype=fp16, layout=Layout.TRANSPOSED),
        ),
        case(
            "ViT-B/16 patch embeddings as tokens, batch 256",
            self=normal((256, 196, 768), dtype=fp32, layout=Layout.TRANSPOSED),
        ),
        case(
            "ResNet-50 activations after conv1 back from channels last, batch 64",
            self=normal((64, 64, 112, 112), dtype=fp16, layout=Layout.CHANNELS_LAST),
        ),
    ]
