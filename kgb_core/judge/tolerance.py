"""Which tolerance applies to a case: the operator's rule, or the plugin's override with its reason."""

from __future__ import annotations

from kgb_core.models.case import Case
from kgb_core.models.device import Device
from kgb_core.models.dtypes import DType
from kgb_core.models.tolerance import Tolerance
from kgb_core.operators.rules import Elementwise, NumericRule, Product, Reduction
from kgb_core.operators.spec import Operator
from kgb_core.plugins.backend import Backend


def tolerance_for(operator: Operator, case: Case, backend: Backend, device: Device) -> Tolerance:
    """The tolerance for one case on one device."""
    dtype = leading_dtype(case)
    override = backend.tolerance(operator.name, dtype, device) if dtype else None
    return override or default_tolerance(operator.numeric)


def leading_dtype(case: Case) -> DType | None:
    """The dtype that a case is about: that of its first tensor."""
    return next((tensor.dtype for tensor in case.tensors()), None)


def default_tolerance(rule: NumericRule) -> Tolerance:
    """The core's tolerance for a numeric class."""
    if isinstance(rule, Elementwise):
        return Tolerance(ulps=rule.ulps, input_ulps=rule.input_ulps)
    if isinstance(rule, Reduction):
        return Tolerance(ulps=rule.ulps, input_ulps=rule.input_ulps, accumulation=rule.accumulation)
    if isinstance(rule, Product):
        return Tolerance(ulps=rule.ulps, accumulation=rule.accumulation)
    return Tolerance(ulps=0.0, native_factor=0.0)
