"""aten::_index_put_impl_: what aten::index_put_ calls, with one argument more."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.cases import fp16, fp32, grid, i32, i64, integers, normal
from kgb_core.operators.spec import Work, operator
from kgb_operators.index_writes import rounding, writes, writes_of_models
from kgb_operators.indexing import numbers


@operator(
    "aten::_index_put_impl_",
    numeric=rounding(),
    work=Work.MOVEMENT,
    mutates=("self",),
    sparse=("self", "values"),
)
def _index_put_impl_(
    self: torch.Tensor,
    indices: list[torch.Tensor | None],
    values: torch.Tensor,
    accumulate: bool = False,
    unsafe: bool = False,
) -> torch.Tensor:
    """`values`, broadcast, written to the elements of `self` that `indices` name, or added to them, in place.

    An index tensor stands for each leading dimension, `None` for all of one; they broadcast, and negative
    numbers count from the end. With `accumulate` an element named twice gets both values. `unsafe` leaves
    out the check of bounds.
    """
    found: torch.Tensor = torch.ops.aten._index_put_impl_.default(self, indices, values, accumulate, unsafe)
    return found


_index_put_impl_.check(
    writes(),
    grid(
        "bounds unchecked",
        self=normal((9, 33)),
        indices=[[numbers(9, 6)], [None, numbers(33, 6)]],
        values=normal((1,)),
        accumulate=[False, True],
        unsafe=[False, True],
        dtypes=(fp16, fp32),
    ),
    grid(
        "duplicates, bounds unchecked",
        self=integers((9, 33), 0, 100),
        indices=[[integers((40,), 0, 9, dtype=i64)]],
        values=integers((40, 33), 0, 100),
        accumulate=True,
        unsafe=True,
        dtypes=(i32, i64),
    ),
)
_index_put_impl_.perf(writes_of_models())
