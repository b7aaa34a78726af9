"""How far from the float64 value an answer may be, and who said so."""

from __future__ import annotations

from pydantic import Field

from kgb_core.models.base import FrozenModel


class Tolerance(FrozenModel):
    """Scales for one operator and dtype. The bound itself always grows with the data.

    `|out - golden| <= ulps * ulp(golden) + accumulation * eps * sqrt(terms) * sum|terms|
    + |reference(x (1 + input_ulps * eps)) - reference(x)|`, and never tighter than `native_factor` times
    the native implementation's own error on the chip.
    """

    ulps: float = Field(default=2.0, ge=0)
    """Units in the last place of the output dtype at the golden value."""
    input_ulps: float = Field(default=0.0, ge=0)
    """Backward error: how many ulps of the compute dtype the inputs may be off by."""
    accumulation: float = Field(default=0.0, ge=0)
    """Factor on the rounding error of a sum of `terms` products in the accumulation dtype."""
    native_factor: float = Field(default=3.0, ge=0)
    """Multiple of the native implementation's own largest error that is always allowed."""
    reason: str = ""
    """Why it differs from the core's rule; required of a vendor's override."""
    source: str = "core"
    """Whose rule it is: `core`, `operator` or a vendor id."""
