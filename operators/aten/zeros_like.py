"""aten::zeros_like."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, i64, integers, normal
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import alike


@operator(
    "aten::zeros_like",
    numeric=Exact(),
    kind=Kind.FACTORY,
    work=Work.FILLING,
    strides=Strides.EXACT,
    unread=("self",),
    constant=0.0,
)
def zeros_like(
    self: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """A tensor of zeros with size, type and device of `self`, and its order of dimensions without holes."""
    made: torch.Tensor = torch.ops.aten.zeros_like.default(
        self,
        dtype=dtype,
        layout=layout,
        device=device,
        pin_memory=pin_memory,
        memory_format=memory_format,
    )
    return made


zeros_like.check(alike(bool_tells=True))
zeros_like.perf(
    case("Llama-3-8B down projection, first moment of Adam", self=normal((4096, 14_336), dtype=fp32)),
    case(
        "Mixtral-8x7B hidden states to add experts to, 16384 tokens", self=normal((16_384, 4096), dtype=bf16)
    ),
    case(
        "ResNet-50 activations after conv1, channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16, layout=Layout.CHANNELS_LAST),
    ),
    case(
        "BERT-large token types of token ids, batch 8192, 512 tokens", self=integers((8192, 512), dtype=i64)
    ),
)
