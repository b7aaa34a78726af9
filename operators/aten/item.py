"""aten::item."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.reads import one_element, one_element_of_models


@operator("aten::item", numeric=Exact(), kind=Kind.HOST_READ, work=Work.MOVEMENT)
def item(self: torch.Tensor) -> float:
    """The value of a tensor of one element as a Python float, int or bool."""
    return self.item()


item.check(one_element())
item.perf(one_element_of_models())
