"""aten::_local_scalar_dense."""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.cases import c64, c128, fill, grid, shapes
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Work, operator
from kgb_operators.reads import one_element, one_element_of_models


@operator("aten::_local_scalar_dense", numeric=Exact(), kind=Kind.HOST_READ, work=Work.MOVEMENT)
def _local_scalar_dense(self: torch.Tensor) -> complex:
    """The value of a tensor of one element as a Python float, int, bool or complex."""
    value: complex = torch.ops.aten._local_scalar_dense.default(self)
    return value


_local_scalar_dense.check(
    one_element(),
    grid("complex", self=shapes((), (1,), (1, 1)), dtypes=(c64, c128)),
    grid("complex without an imaginary part", self=fill((), -2.5), dtypes=(c64,)),
)
_local_scalar_dense.perf(one_element_of_models())
