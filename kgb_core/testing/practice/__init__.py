"""Two operators and kernels for them whose verdicts are known: what the chip tier has judged by `kgb run`.

They are declared to a run of the suite alone, so nobody else's `kgb operators` lists them.
"""

from __future__ import annotations

from kgb_core.lazy import torch
from kgb_core.operators.cases import bf16, case, fp16, fp32, normal
from kgb_core.operators.rules import Elementwise, Reduction
from kgb_core.operators.spec import Operator, operator

SUITE = "conformance"


@operator("conformance::scale", numeric=Elementwise(), tags=(SUITE,))
def scale(self: torch.Tensor, factor: float) -> torch.Tensor:
    """Every element times a number."""
    return self * factor


@operator("conformance::row_sum", numeric=Reduction(), tags=(SUITE,))
def row_sum(self: torch.Tensor) -> torch.Tensor:
    """The sum of each row of a matrix."""
    return self.sum(1)


scale.check(
    case("a vector", self=normal((1023,), dtype=fp32), factor=2.5),
    case("a matrix", self=normal((7, 129), dtype=fp32), factor=-0.1),
    case("half", self=normal((513,), dtype=fp16), factor=3.0),
    case("bfloat16", self=normal((513,), dtype=bf16), factor=3.0),
)
scale.perf(case("a matrix of 1024 rows", self=normal((1024, 1024), dtype=fp32), factor=2.5))
row_sum.check(
    case("short rows", self=normal((5, 33), dtype=fp32)),
    case("long rows", self=normal((3, 1000), dtype=fp32)),
)


def operators() -> list[Operator]:
    """Both."""
    return [scale, row_sum]
