"""aten::index_put_.

Masks are among the cases where the value is the same for every element that they name. Other values would
need each element's place among those named.
"""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.spec import Work, operator
from kgb_operators.index_writes import rounding, writes, writes_of_models


@operator(
    "aten::index_put_", numeric=rounding(), work=Work.MOVEMENT, mutates=("self",), sparse=("self", "values")
)
def index_put_(
    self: torch.Tensor, indices: list[torch.Tensor | None], values: torch.Tensor, accumulate: bool = False
) -> torch.Tensor:
    """`values`, broadcast, written to the elements of `self` that `indices` name, or added to them, in place.

    An index tensor stands for each leading dimension, `None` for all of one; they broadcast, and negative
    numbers count from the end. With `accumulate` an element named twice gets both values.
    """
    found: torch.Tensor = torch.ops.aten.index_put_.default(self, indices, values, accumulate)
    return found


index_put_.check(writes())
index_put_.perf(writes_of_models())
