"""What compiling a candidate for a target gave: what `kgb compile` shows and writes."""

from __future__ import annotations

from enum import Enum

from kgb_core.models.base import FrozenModel
from kgb_core.models.candidate import Candidate
from kgb_core.models.launch import Excess, Resources, Stage


class Status(str, Enum):
    """What became of one candidate on one target."""

    COMPILED = "compiled"
    """Every launch compiled, as far as this machine's compiler for the target goes."""
    NO_LAUNCH = "no_launch"
    """The host code launched nothing."""
    COMPILE_ERROR = "compile_error"
    OUT_OF_RESOURCES = "out_of_resources"
    """It compiled, and no chip of that kind can launch it."""
    NO_ENTRY = "no_entry"
    IMPORT_ERROR = "import_error"
    BAD_SIGNATURE = "bad_signature"
    REFUSED = "refused"
    """The host code declined every case itself."""
    UNSUPPORTED = "unsupported"
    """No chip of that kind has the dtypes of any case."""
    HOST_ERROR = "host_error"
    """The host code raised."""
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    HARNESS_ERROR = "harness_error"
    """Not the candidate's: the plugin raised, or no worker came up."""


class BuiltLaunch(FrozenModel):
    """One distinct launch, compiled."""

    kernel: str
    """The name of the Triton function."""
    signature: dict[str, str]
    configuration: dict[str, str]
    """Constants and options by name, as Python writes them."""
    case: str
    """The first case that made it."""
    stage: Stage
    """How far the compiler got."""
    nanoseconds: int
    resources: Resources
    error: str = ""
    """The compiler's own words."""
    reason: str = ""
    """The line of them that says why."""
    excesses: tuple[Excess, ...] = ()
    note: str = ""
    artefacts: tuple[str, ...] = ()
    """Names of the files that were kept."""


class FailedCase(FrozenModel):
    """A case in which the host code raised."""

    case: str
    status: Status
    message: str


class Built(FrozenModel):
    """What a worker answers for one target."""

    launches: tuple[BuiltLaunch, ...] = ()
    failed: tuple[FailedCase, ...] = ()
    cases: int = 0
    """Cases that the host code was called with."""


class TargetResult(FrozenModel):
    """One candidate on one target."""

    target: str
    status: Status
    ok: bool
    """False where something failed; a view that launches nothing is right."""
    stage: Stage = Stage.NOTHING
    """The lowest stage over its launches."""
    nanoseconds: int = 0
    """Of compiling, over all its launches."""
    message: str = ""
    """Why it failed, or what else must be known, in one line."""
    note: str = ""
    """Why it was taken no further."""
    launches: tuple[BuiltLaunch, ...] = ()
    failed: tuple[FailedCase, ...] = ()
    triton: str = ""
    """The version of the Triton that compiled it."""
    left_out: tuple[str, ...] = ()
    """Why some cases were not tried: what the target declares unsupported."""


class CandidateResult(FrozenModel):
    """One candidate on every target that was asked for."""

    operator: str
    name: str
    sha256: str
    pack: str
    results: tuple[TargetResult, ...]

    @classmethod
    def of(cls, candidate: Candidate, results: tuple[TargetResult, ...]) -> CandidateResult:
        """The results of a candidate."""
        return cls(
            operator=candidate.operator,
            name=candidate.name,
            sha256=candidate.sha256,
            pack=candidate.pack,
            results=results,
        )
