"""One record for each planned case: the verdict and the evidence for it."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Purpose, Tier
from kgb_core.models.device import Device
from kgb_core.models.timing import Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict

RECORD_SCHEMA: Final = "kgb.record/1"


class CandidateRef(FrozenModel):
    """Which candidate was judged: enough to find its source in the bundle."""

    name: str
    """The sample's name inside the pack: the file stem."""
    sha256: str
    """Of the file's text; the source is `kernels/<sha256>.py` in the bundle."""
    pack: str


class CaseRef(FrozenModel):
    """Which case: its id, and its label for a person."""

    id: str
    label: str
    purpose: Purpose
    tier: Tier
    weight: float = 1.0


class BackendRef(FrozenModel):
    """Which plugin ran it."""

    name: str
    version: str


class Finding(FrozenModel):
    """Something seen in the source, with its line: evidence, never a verdict."""

    line: int
    text: str


class Evidence(FrozenModel):
    """What was observed of the candidate, over all calls of the case."""

    calls: int = 0
    launches: int = 0
    """Triton launches during the audited calls."""
    kernels: tuple[str, ...] = ()
    """Names of the kernels launched."""
    aten: dict[str, int] = {}
    """ATen operators dispatched under the audited calls, with counts."""
    foreign: tuple[str, ...] = ()
    """Those of them that do an operator's work."""
    mutated: tuple[str, ...] = ()
    """Inputs changed that must not be."""
    guards: tuple[str, ...] = ()
    """Buffers written outside their bounds."""
    aliases: tuple[str, ...] = ()
    """Inputs that the outputs share memory with."""
    view: bool = False
    """A view operator answered with a view, not with a copy."""
    findings: tuple[Finding, ...] = ()
    traceback: str = ""
    """The candidate's own frames, capped."""
    output: str = ""
    """What the candidate printed, capped."""
    exit: str = ""
    """How the worker ended, if it did: a signal or an exit code."""


class Errors(FrozenModel):
    """How far the answer was from the float64 value, over all checked calls."""

    max_abs: float
    max_rel: float
    max_ulp: float
    rms: float
    golden_rms: float = 0.0
    """Of the right values, beside which the error's can be read."""
    scale: float
    """The smallest factor on the tolerance under which the case still passes; 1 or less passed."""
    worst_index: tuple[int, ...] = ()
    got: str = ""
    want: str = ""
    native_scale: float | None = None
    """The same factor for the native implementation on this chip."""


class Record(FrozenModel):
    """The terminal record of one planned case."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.record/1"] = Field(default=RECORD_SCHEMA, alias="schema")
    run: str
    uid: str
    """Identity of the planned case: the same in every run of the same suite, candidate and device."""
    suite: str
    """Name and hash of the suite."""
    operator: str
    kind: str
    case: CaseRef
    candidate: CandidateRef
    backend: BackendRef
    device: Device
    verdict: Verdict
    message: str = ""
    evidence: Evidence = Evidence()
    errors: Errors | None = None
    tolerance: Tolerance | None = None
    timing: Timing | None = None
    device_strings: str = "strict"
    """`translate` where the candidate's device names were rewritten for this device."""
    sandbox: str = ""
    attempt: int = 1
    finished: str = ""
    """UTC, ISO 8601."""
