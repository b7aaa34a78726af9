"""What a run set out to judge, written before the first candidate is started: resume and check need it."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field, model_validator

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Tier
from kgb_core.models.record import CandidateRef, CaseRef

PLAN_SCHEMA: Final = "kgb.plan/1"


def device_name(backend: str, index: int) -> str:
    """`vendor:index`, as devices are named in plans, tables and messages."""
    return f"{backend}:{index}"


class SuiteRef(FrozenModel):
    """Which suite: its name, and the hash that says it is the same one."""

    name: str
    hash: str

    @property
    def label(self) -> str:
        """Name and hash, as records carry them."""
        return f"{self.name} {self.hash}"


class PlannedCase(FrozenModel):
    """One case of one candidate on one device: exactly one record will answer it."""

    uid: str = Field(pattern=r"^[0-9A-Za-z_-]{1,128}$")
    """As in `Record.uid`; it also names the file of the raw times."""
    operator: str
    case: CaseRef
    candidate: CandidateRef
    device: str
    """`vendor:index`."""


class Selection(FrozenModel):
    """How the run was narrowed; empty means everything."""

    operators: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


class PlanHeader(FrozenModel):
    """The parameters of a run: what a plan says besides its cases."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.plan/1"] = Field(default=PLAN_SCHEMA, alias="schema")
    run: str
    created: str
    """UTC, ISO 8601."""
    suite: SuiteRef
    seed: int
    tier: Tier
    selection: Selection = Selection()


class Plan(PlanHeader):
    """Every planned case, in the order of the run, with the run's parameters."""

    cases: tuple[PlannedCase, ...]

    @model_validator(mode="after")
    def _unique(self) -> Plan:
        if len({case.uid for case in self.cases}) != len(self.cases):
            raise ValueError("two planned cases have the same uid")
        return self
