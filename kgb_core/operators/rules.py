"""Numeric classes: how an operator's answer is compared, chosen by the operator's author.

A rule is a small frozen value. The judge turns it into a bound (`kgb_core.judge.bounds`); the meaning of
each number stands in `kgb_core.models.tolerance`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from kgb_core.operators.binding import Bound


@dataclass(frozen=True)
class Exact:
    """Bit-equal values: data movement, comparison, integer results, argmax. NaN equals NaN."""


@dataclass(frozen=True)
class Elementwise:
    """Each element is rounded a few times and depends on a few inputs.

    Args:
        ulps: units in the last place of the output dtype.
        input_ulps: how many ulps of the compute dtype the inputs may be off by; 0 for operators that IEEE
            rounds correctly (add, mul), 1 or 2 for those built on range reduction (exp, cos, pow).
    """

    ulps: float = 2.0
    input_ulps: float = 0.0


@dataclass(frozen=True)
class Reduction:
    """Sums of many terms along dimensions.

    Args:
        ulps: rounding of the result itself.
        input_ulps: as in `Elementwise`.
        accumulation: factor on eps * sqrt(terms) * sum|terms|.
        terms: how many terms one element sums, from the bound arguments; by default elements of the first
            tensor per element of the output.
        normalized: True where the result is a ratio of sums (softmax): the error then scales with the
            result and not with the sum of the inputs.
        magnitude: sum|terms| of the only output, from the same arguments as the reference with every number
            made positive; where the reference itself, given those, would subtract or weigh them otherwise.
    """

    ulps: float = 2.0
    input_ulps: float = 0.0
    accumulation: float = 2.0
    terms: Callable[[Bound], int] | None = None
    normalized: bool = False
    magnitude: Callable[..., Tensor] | None = None


@dataclass(frozen=True)
class Product:
    """Matrix products: sums of `terms(arguments)` products.

    Args:
        terms: number of products in one element, from the bound arguments.
        ulps: rounding of the result itself.
        accumulation: factor on eps * sqrt(terms) * (|a| @ |b|).
    """

    terms: Callable[[Bound], int]
    ulps: float = 2.0
    accumulation: float = 2.0


FALSE_REJECTS_OF_A_RUN = 1e-6
"""How probable it may be, at most, that a run refuses a right sampler in any of a suite's random cases."""


@dataclass(frozen=True)
class Random:
    """Draws from a distribution; judged by a test, not by comparison.

    Args:
        p_value: how probable an output at least this odd is for a right sampler; gets the bound arguments
            and the output on the CPU. Must return 0.0 for values outside the support. Two calls are also
            tested as one, their arguments and outputs stacked along a new first dimension: that is how
            calls that repeat or shift one another's numbers are found.
        reject_below: a p-value under this fails. The default is for `FALSE_REJECTS_OF_A_RUN`.
        consistent: whether what a call left in the arguments that it changes belongs to its output; gets the
            arguments as they were, the output, and the changed arguments by name, on the CPU.
    """

    p_value: Callable[[Bound, Tensor], float]
    reject_below: float = 1e-10
    consistent: Callable[[Bound, Tensor, Mapping[str, Tensor]], bool] | None = None


@dataclass(frozen=True)
class MetadataOnly:
    """Uninitialised memory: dtype, shape and strides count, values don't."""


NumericRule = Exact | Elementwise | Reduction | Product | Random | MetadataOnly
"""Any numeric class."""
