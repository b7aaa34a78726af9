"""aten::resolve_neg."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.views import as_it_is, as_it_is_perf


# No case has the bit: inputs travel as plain bytes, so the right answer is the input itself.
@operator("aten::resolve_neg", numeric=Exact(), kind=Kind.VIEW, work=Work.MOVEMENT)
def resolve_neg(self: torch.Tensor) -> torch.Tensor:
    """`self`; where its negation is still to be done, marked by a bit, a copy in which it is done."""
    return torch.resolve_neg(self)


resolve_neg.check(as_it_is())
resolve_neg.perf(as_it_is_perf())
