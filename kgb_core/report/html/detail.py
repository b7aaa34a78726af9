"""What the page shows of one operator, its candidates and their runs, loaded when it is opened."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.record import Errors, Evidence
from kgb_core.models.timing import Interval
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict


class CaseLine(FrozenModel):
    """One case of the operator."""

    id: str
    label: str
    purpose: str
    tier: str


class Observation(FrozenModel):
    """One record in full: the first of its verdict for one candidate on one chip."""

    case: int
    verdict: Verdict
    message: str = ""
    errors: Errors | None = None
    evidence: Evidence = Evidence()
    tolerance: Tolerance | None = None
    """Where it is not the core's own."""


class Remark(FrozenModel):
    """What was said of another case with a verdict that needs one."""

    case: int
    message: str


class TimedSide(FrozenModel):
    """One side of a comparison, in nanoseconds."""

    median: float
    interval: Interval
    count: int
    samples: tuple[int, ...] = ()
    """Raw device times; empty where the bundle alone has them."""


class TimedCase(FrozenModel):
    """The timing of one perf case."""

    case: int
    method: str
    candidate: TimedSide
    baseline: TimedSide
    speedup: float | None
    interval: Interval | None
    floor: float | None = None
    """The least time that the chip's peaks allow, in nanoseconds."""
    floor_source: str = ""
    overhead_bound: bool = False
    bimodal: bool = False
    invalid: str = ""


class OnChip(FrozenModel):
    """One candidate on one chip."""

    chip: int
    verdict: Verdict | None
    right: bool
    passed: int
    counted: int
    missing: int = 0
    views: int = 0
    speedup: float | None = None
    interval: Interval | None = None
    verdicts: str
    """One letter a case, by `LETTERS`; a dot where nothing was recorded."""
    observations: tuple[Observation, ...] = ()
    remarks: tuple[Remark, ...] = ()
    unsaid: int = 0
    """Remarks beyond those kept."""
    timings: tuple[TimedCase, ...] = ()


class Kernel(FrozenModel):
    """One candidate."""

    pack: int
    name: str
    sha256: str
    chips: tuple[OnChip, ...]


class Source(FrozenModel):
    """The source of one candidate."""

    text: str | None
    """Control characters escaped; `None` where no bundle has it."""
    tokens: tuple[int, ...] = ()
    """Class and length of each run of characters, in turn; see `tokens`."""


class OperatorDetail(FrozenModel):
    """One operator."""

    name: str
    signature: str = ""
    """Empty where the operator is not installed where the report was made."""
    semantics: str = ""
    cases: tuple[CaseLine, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    sources: tuple[Source, ...] = ()
    """Of the kernels, in their order; together, since gzip sees only 32 KiB at once."""


LETTERS = dict(zip(Verdict, "abcdefghijklmnopqrstuvwxyzABCDEF", strict=False))
"""A letter for each verdict."""
