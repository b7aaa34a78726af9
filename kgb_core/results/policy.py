"""A tolerance policy for `kgb rejudge`: which records get which tolerance instead of their own, and why."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import ConfigDict, Field, model_validator

from kgb_core.models.base import FrozenModel
from kgb_core.models.record import Record
from kgb_core.models.tolerance import Tolerance
from kgb_core.toml import read_toml

SOURCE = "rejudge"
_PARTS = ("ulps", "input_ulps", "accumulation")


class Rule(FrozenModel):
    """The tolerance of the records that it matches; what is not given stays as it was."""

    operator: str = "*"
    """A pattern with `*` and `?`, like `backend` and `case`."""
    backend: str = "*"
    case: str = "*"
    """For the case's label: `*fp16*`, say."""
    scale: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """A factor on the whole bound; instead of its three parts."""
    ulps: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    input_ulps: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    accumulation: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    native_factor: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one_way(self) -> Rule:
        if self.scale is not None and any(getattr(self, part) is not None for part in _PARTS):
            raise ValueError("scale is for the whole bound: give it, or the parts")
        return self

    def matches(self, record: Record) -> bool:
        """True for a record that this rule is about."""
        return (
            fnmatchcase(record.operator, self.operator)
            and fnmatchcase(record.backend.name, self.backend)
            and fnmatchcase(record.case.label, self.case)
        )

    def applied(self, tolerance: Tolerance, reason: str) -> Tolerance:
        """The tolerance that it makes of another one."""
        factor = 1.0 if self.scale is None else self.scale
        parts = {part: factor * getattr(tolerance, part) for part in _PARTS}
        given = {part: getattr(self, part) for part in (*_PARTS, "native_factor")}
        changes = {**parts, **{part: value for part, value in given.items() if value is not None}}
        return tolerance.model_copy(update={**changes, "reason": reason, "source": SOURCE})


class Policy(FrozenModel):
    """Rules, of which the first that matches applies; a record that none matches keeps its tolerance."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    reason: str = Field(min_length=1)
    """Why; it is stored with every record that a rule touches."""
    rules: tuple[Rule, ...] = Field(alias="rule", min_length=1)

    def tolerance_for(self, record: Record) -> Tolerance | None:
        """The tolerance of one record under this policy; `None` where the record has none."""
        if record.tolerance is None:
            return None
        rule = next((rule for rule in self.rules if rule.matches(record)), None)
        return rule.applied(record.tolerance, self.reason) if rule else record.tolerance


def scaled(scale: float) -> Policy:
    """Every bound times a factor above 0."""
    return Policy(reason=f"every bound times {scale:g}", rule=(Rule(scale=scale),))


def read_policy(path: Path) -> Policy:
    """A policy from a TOML file.

    Raises:
        UsageError: it can't be read, or says something that is no policy.
    """
    return read_toml(path, Policy)
