"""aten::ones_like."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.models.case import Layout
from kgb_core.operators.cases import bf16, case, fp16, fp32, i64, integers, normal
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import alike


@operator(
    "aten::ones_like",
    numeric=Exact(),
    kind=Kind.FACTORY,
    work=Work.FILLING,
    strides=Strides.EXACT,
    unread=("self",),
    constant=1.0,
)
def ones_like(
    self: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """A tensor of ones with size, type and device of `self`, and its order of dimensions without holes."""
    made: torch.Tensor = torch.ops.aten.ones_like.default(
        self,
        dtype=dtype,
        layout=layout,
        device=device,
        pin_memory=pin_memory,
        memory_format=memory_format,
    )
    return made


ones_like.check(alike(bool_tells=False))
ones_like.perf(
    case(
        "BERT-large attention mask of token ids, batch 8192, 512 tokens",
        self=integers((8192, 512), dtype=i64),
    ),
    case("Llama-3-8B logits, gradient to start from, 1024 tokens", self=normal((1024, 128_256), dtype=bf16)),
    case("GPT-2 hidden states, dropout mask to scale, batch 32", self=normal((32, 1024, 768), dtype=fp32)),
    case(
        "ResNet-50 activations after conv1, channels last, batch 64",
        self=normal((64, 64, 112, 112), dtype=fp16, layout=Layout.CHANNELS_LAST),
    ),
)
