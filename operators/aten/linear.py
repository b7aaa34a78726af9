"""aten::linear."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Case, Layout, Tier
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Normal, Uniform, Values
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    DENSE_LAYOUT,
    FLOATING,
    HALF,
    OMIT,
    bf16,
    case,
    fp16,
    fp32,
    fp64,
    grid,
    inf,
    integers,
    nan,
    normal,
    sprinkle,
    tensor,
    uniform,
)
from kgb_core.operators.rules import Product
from kgb_core.operators.spec import operator


def _flops(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> float:
    return 2.0 * (input.numel() // max(1, input.shape[-1])) * weight.numel()


def _inner(call: Bound) -> int:
    return int(call["input"].shape[-1]) + 1


# The numbers are aten::mm's; the bias is one more term.
@operator("aten::linear", numeric=Product(terms=_inner, ulps=1.0, accumulation=2.0), flops=_flops)
def linear(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Each row of `input` times each row of `weight`, plus `bias`: input @ weight.T + bias, of one type.

    A weight of one dimension makes one number a row. float32 without TF32; with no inner size it is the bias
    alone, or zeros.
    """
    return torch.nn.functional.linear(input, weight, bias)


def _layers(
    *sizes: tuple[tuple[int, ...], int],
    title: str = "",
    dtypes: tuple[DType, ...] = FLOATING,
    layouts: tuple[Layout, ...] = (Layout.CONTIGUOUS,),
    values: Values | None = None,
    biased: bool = True,
    tier: Tier = Tier.SMOKE,
) -> list[Case]:
    """Inputs of a shape, with a weight for each number of outputs, with and without a bias."""
    values = values or Normal()
    return [
        made
        for shape, outputs in sizes
        for made in grid(
            title,
            input=tensor(shape, values),
            weight=tensor((outputs, shape[-1]), values),
            bias=[OMIT, tensor((outputs,), values)] if biased else OMIT,
            dtypes=dtypes,
            layouts=layouts,
            tier=tier,
        )
    ]


linear.check(
    _layers(((17, 65), 33), layouts=DENSE_LAYOUT),
    grid(
        "the same row in all",
        input=normal((17, 65), layout=Layout.EXPANDED),
        weight=normal((33, 65)),
        bias=normal((33,)),
        dtypes=FLOATING,
    ),
    # Torch multiplies and then adds, rounding twice, where the input is a vector or doesn't lie in one piece.
    # Numbers of one sign don't cancel, so that both roundings stay within an ulp.
    _layers(((65,), 33), title="a vector of one sign", values=Uniform()),
    _layers(((3, 7, 33), 19), title="sequences", layouts=ANY_LAYOUT, dtypes=(fp16, fp32), values=Uniform()),
    _layers(((3, 7, 33), 19), title="sequences", biased=False, layouts=ANY_LAYOUT),
    _layers(((2, 3, 5, 17), 9), title="rank 4", layouts=ANY_LAYOUT, dtypes=(fp32,)),
    _layers(((2, 3, 1, 2, 3, 17), 5), title="rank 6", layouts=ANY_LAYOUT[1:3], dtypes=(fp32,)),
    _layers(((1, 32), 1), ((1, 1), 1), ((2, 3), 5), ((1, 130), 40), title="small"),
    _layers(((65,), 33), title="a vector", biased=False),
    _layers(((31, 257), 29), ((5, 7), 300), title="odd and even tiles"),
    _layers(((5, 7), 3), ((2, 9, 33), 19), title="float64", dtypes=(fp64,), layouts=ANY_LAYOUT[:3]),
    grid("bias is None", input=normal((3, 17)), weight=normal((5, 17)), bias=None, dtypes=(fp32,)),
    grid(
        "a weight of one dimension",
        input=[normal((7, 33)), normal((2, 3, 33))],
        weight=normal((33,)),
        dtypes=FLOATING,
    ),
    grid(
        "each laid out its own way",
        input=uniform((4, 9, 33), layout=Layout.TRANSPOSED),
        weight=uniform((21, 33), layout=Layout.STRIDED),
        bias=uniform((21,), layout=Layout.EXPANDED),
        dtypes=FLOATING,
    ),
    grid(
        "a weight that lies transposed",
        input=normal((2, 33)),
        weight=normal((21, 33), layout=Layout.TRANSPOSED),
        bias=normal((21,), layout=Layout.STRIDED),
        dtypes=FLOATING,
    ),
    _layers(((0, 5), 3), ((2, 0, 5), 3), ((3, 5), 0), title="empty", dtypes=(fp32,)),
    grid(
        "nothing to add but the bias",
        input=normal((9, 0)),
        weight=normal((5, 0)),
        bias=normal((5,)),
        dtypes=(fp32,),
    ),
    grid("nothing at all to add", input=normal((9, 0)), weight=normal((5, 0)), dtypes=(fp32,), telling=False),
    grid(
        "small whole numbers",
        input=integers((9, 65)),
        weight=integers((11, 65)),
        bias=integers((11,)),
        dtypes=FLOATING,
    ),
    grid(
        "a bias far larger than the product, which rounds once with it",
        input=normal((9, 65)),
        weight=normal((11, 65)),
        bias=normal((11,), 300, 50),
        dtypes=FLOATING,
    ),
    grid(
        "partial sums beyond float16, the result within",
        input=uniform((5, 64), 100, 200, dtype=fp16),
        weight=normal((33, 64), 0, 3, dtype=fp16),
        bias=normal((33,), dtype=fp16),
    ),
    grid(
        "NaN in some rows",
        input=sprinkle((33, 40), nan, dtype=fp32, share=0.005),
        weight=normal((17, 40), dtype=fp32),
        bias=normal((17,), dtype=fp32),
    ),
    grid(
        "Inf in some rows of the weight",
        input=normal((5, 33), dtype=fp16),
        weight=sprinkle((7, 33), inf, -inf, dtype=fp16, share=0.01),
        bias=normal((7,), dtype=fp16),
    ),
    grid(
        "NaN and Inf in the bias",
        input=normal((2, 5, 33), dtype=fp32),
        weight=normal((9, 33), dtype=fp32),
        bias=sprinkle((9,), inf, nan, dtype=fp32),
    ),
    case(
        "rows of very different size",
        input=normal((9, 65), 0, 1e4, dtype=fp32),
        weight=normal((9, 65), 0, 1e-4, dtype=fp32),
    ),
    _layers(((1023, 1025), 511), ((15, 1024), 160), ((495, 71), 5333), tier=Tier.STANDARD),
    _layers(
        ((4, 129, 257), 1023),
        ((1, 4099), 1023),
        values=Uniform(),
        layouts=DENSE_LAYOUT,
        dtypes=(fp16, fp32),
        tier=Tier.STANDARD,
    ),
)
linear.perf(
    grid(
        "Llama-3-8B feed-forward gate projection, 4 x 1024 tokens",
        input=normal((4, 1024, 4096)),
        weight=normal((14336, 4096)),
        dtypes=HALF,
    ),
    weight=3,
)
linear.perf(
    case(
        "Llama-3-8B decode, one token: feed-forward gate projection",
        input=normal((1, 1, 4096), dtype=bf16),
        weight=normal((14336, 4096), dtype=bf16),
    ),
    case(
        "Qwen2-7B query projection with bias, 4096 tokens",
        input=normal((1, 4096, 3584), dtype=bf16),
        weight=normal((3584, 3584), dtype=bf16),
        bias=normal((3584,), dtype=bf16),
    ),
    case(
        "BERT-base feed-forward, 8 x 512 tokens",
        input=normal((8, 512, 768), dtype=fp32),
        weight=normal((3072, 768), dtype=fp32),
        bias=normal((3072,), dtype=fp32),
    ),
    case(
        "ViT-B/16 query, key and value projection, batch 64",
        input=normal((64, 197, 768), dtype=fp16),
        weight=normal((2304, 768), dtype=fp16),
        bias=normal((2304,), dtype=fp16),
    ),
    weight=2,
)
