"""aten::scalar_tensor."""

from __future__ import annotations

from kgb_core.lazy import torch
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
    i16,
    i32,
    i64,
    inf,
    nan,
    u8,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Strides, Work, operator
from kgb_operators.factories import DEVICE


@operator("aten::scalar_tensor", numeric=Exact(), kind=Kind.FACTORY, work=Work.FILLING, strides=Strides.EXACT)
def scalar_tensor(
    s: float,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    """A 0-d tensor with the value of a number; without a dtype of the default float, whatever `s` is."""
    made: torch.Tensor = torch.ops.aten.scalar_tensor.default(
        s, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory
    )
    return made


scalar_tensor.check(
    grid(s=[-7, 3, 123, -1.5, 2.75, 3.14159], dtype=list(FLOATING), device=DEVICE),
    grid("dtype left out", s=[-7, 12345, 2.75, 2**24 + 1], dtype=[None, OMIT], device=DEVICE),
    grid("whole numbers", s=[2, 100], dtype=[u8, i8, i16, i32, i64], device=DEVICE),
    grid("negative", s=[-2, -100], dtype=[i8, i16, i32, i64], device=DEVICE),
    grid("the ends of int64", s=[2**63 - 1, -(2**63), 2**53 + 1, -(2**31) - 1], dtype=i64, device=DEVICE),
    grid("fractions towards zero", s=[-3.75, 3.75], dtype=[i8, i32, i64], device=DEVICE),
    grid("only float64 holds it", s=[0.1, -1e300, 5e-324, 2**53 - 1], dtype=fp64, device=DEVICE),
    grid("NaN and Inf", s=[nan, inf, -inf], dtype=[*FLOATING, fp64], device=DEVICE),
    grid("denormals of float32", s=[1e-40, -1.5e-45], dtype=fp32, device=DEVICE),
    grid("the ends of half", s=[65504.0, -65504.0, 6e-8], dtype=fp16, device=DEVICE),
    grid("more than half holds", s=[65520.0, 1e9], dtype=[fp16, bf16], device=DEVICE),
    grid("a bool as a number", s=True, dtype=[fp32, i64, OMIT], device=DEVICE, telling=False),
    grid("truth of a number", s=[nan, -1, 0.0, False], dtype=boolean, device=DEVICE, telling=False),
    grid("complex", s=[-2.5, 7], dtype=c64, device=DEVICE),
    grid(
        "every option given as its default",
        s=[5, 0.75],
        dtype=[None, fp16],
        layout=None,
        device=DEVICE,
        pin_memory=[None, False],
    ),
)
# One element each: labelled, and never more than a launch.
scalar_tensor.perf(
    case("launch only: GPT-2 attention scale", s=0.125, dtype=fp16, device=DEVICE),
    case("launch only: Llama-3-8B mask value", s=-3.3895313892515355e38, dtype=bf16, device=DEVICE),
    case("launch only: BERT-large loss scale", s=65536.0, dtype=fp32, device=DEVICE),
)
