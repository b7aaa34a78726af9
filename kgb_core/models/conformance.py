"""The conformance record: what each rule of the suite said of a backend, on which stack, and who vouches."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.device import Device
from kgb_core.models.record import BackendRef

CONFORMANCE_SCHEMA: Final = "kgb.conformance/1"


class ConformanceTier(str, Enum):
    """What a rule needs."""

    NO_CHIP = "no-chip"
    """Any machine."""
    CHIP = "chip"
    """A usable device of this backend."""


class RuleOutcome(str, Enum):
    """What became of one rule."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It could not be asked here; the reason says why."""
    XFAILED = "xfailed"
    """The vendor says that it fails, and why; it does."""


class RuleResult(FrozenModel):
    """One rule of the suite and what became of it."""

    rule: str
    tier: ConformanceTier
    outcome: RuleOutcome
    reason: str = ""
    """Why it failed, was skipped, or is expected to fail; empty when it passed."""


class SuiteIdentity(FrozenModel):
    """Which rules were asked."""

    version: str
    sha256: str
    """Over the suite's own files."""


class ConformanceState(str, Enum):
    """What a run says of the conformance of a backend that it used."""

    PASSED = "passed"
    FAILED = "failed"
    STALE = "stale"
    """The record is for another version of the plugin or of the core."""
    NONE = "none"
    """There is no record."""


class Conformance(FrozenModel):
    """The record that `kgb conformance` writes and bundles carry."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.conformance/1"] = Field(default=CONFORMANCE_SCHEMA, alias="schema")
    backend: BackendRef
    core: str
    """Version of kgb-core."""
    suite: SuiteIdentity
    rules: tuple[RuleResult, ...]
    """Every rule of the tiers that were asked for, in the order of the suite."""
    devices: tuple[Device, ...] = ()
    """The usable devices that were found; empty without a chip."""
    environment: dict[str, str] = {}
    """Versions of the stack: driver, SDK, torch, Triton."""
    finished: str
    """UTC, ISO 8601."""
    signed_off_by: str = ""
    """Who vouches for it: a name that was given, not a signature."""

    def with_outcome(self, outcome: RuleOutcome) -> tuple[RuleResult, ...]:
        """The rules that ended so."""
        return tuple(result for result in self.rules if result.outcome is outcome)

    @property
    def passed(self) -> bool:
        """True when no rule failed and at least one passed."""
        return bool(self.with_outcome(RuleOutcome.PASSED)) and not self.with_outcome(RuleOutcome.FAILED)

    @property
    def tiers(self) -> tuple[ConformanceTier, ...]:
        """The tiers of which a rule was really asked: not those that were skipped as a whole."""
        asked = {result.tier for result in self.rules if result.outcome is not RuleOutcome.SKIPPED}
        return tuple(tier for tier in ConformanceTier if tier in asked)

    def state(self, backend: BackendRef, core: str) -> ConformanceState:
        """What this record says of a plugin and a core of these versions."""
        if self.backend != backend or self.core != core:
            return ConformanceState.STALE
        return ConformanceState.PASSED if self.passed else ConformanceState.FAILED


class ConformanceRef(FrozenModel):
    """What a manifest says of the conformance of one backend of the run."""

    backend: BackendRef
    state: ConformanceState
    tiers: tuple[ConformanceTier, ...] = ()
    """The tiers that the record covers."""
    file: str = ""
    """The record's path inside the bundle; empty without one."""

    @property
    def text(self) -> str:
        """`chip 0.1.0: passed (no-chip, chip)`."""
        tiers = ", ".join(tier.value for tier in self.tiers)
        covered = f" ({tiers})" if tiers else ""
        return f"{self.backend.name} {self.backend.version}: {self.state.value}{covered}"


def conformance_of(backend: BackendRef, core: str, record: Conformance | None, file: str) -> ConformanceRef:
    """What a manifest says of a backend.

    Args:
        backend: the plugin that the run used.
        core: the version of kgb-core that ran.
        record: its conformance record; `None` without one.
        file: where the record lies in the bundle.
    """
    if record is None:
        return ConformanceRef(backend=backend, state=ConformanceState.NONE)
    return ConformanceRef(backend=backend, state=record.state(backend, core), tiers=record.tiers, file=file)
