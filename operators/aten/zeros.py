"""aten::zeros."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.lazy import torch
from kgb_core.operators.cases import bf16, case, fp16, fp32, i64
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import DEVICE, sized


@operator(
    "aten::zeros",
    numeric=Exact(),
    kind=Kind.FACTORY,
    work=Work.FILLING,
    strides=Strides.EXACT,
    constant=0.0,
)
def zeros(
    size: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A contiguous tensor of zeros; without a dtype, of the default float."""
    return torch.zeros(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


zeros.check(sized(bool_tells=True, device=DEVICE))
zeros.perf(
    case(
        "Llama-3-8B key cache of one layer, 8 sequences of 8192",
        size=[8, 8, 8192, 128],
        dtype=bf16,
        device=DEVICE,
    ),
    weight=2,
)
zeros.perf(
    case(
        "GPT-2 gradient of the token embedding",
        size=[50_257, 768],
        dtype=fp32,
        device=DEVICE,
    ),
    case(
        "Mixtral-8x7B output to add experts to, 16384 tokens", size=[16_384, 4096], dtype=fp16, device=DEVICE
    ),
    case("BERT-large token types, batch 8192, 512 tokens", size=[8192, 512], dtype=i64, device=DEVICE),
)
