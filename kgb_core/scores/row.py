"""One candidate on one device, condensed: what every table and score is made of."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.record import CandidateRef
from kgb_core.models.verdict import Verdict
from kgb_core.scores.speedup import Speedup


class VerdictCount(FrozenModel):
    """How often a verdict was given, with the message of its first case."""

    verdict: Verdict
    count: int
    case: str
    """Label of the first such case."""
    message: str


class Row(FrozenModel):
    """One candidate on one device."""

    operator: str
    kind: str
    candidate: CandidateRef
    device: str
    run: str
    passed: int
    counted: int
    """Cases in the denominator: all but those whose verdict is not the candidate's."""
    missing: int
    """Planned cases without a record."""
    verdict: Verdict | None
    """The worst of the counted cases; else the first of the others; `None` before any case was judged."""
    verdicts: tuple[VerdictCount, ...]
    """Every verdict given, worst first."""
    views: int
    """Passed cases that were answered with a view."""
    wanted: int = 0
    """Perf cases that this device can run: a time is asked of them."""
    speedup: Speedup | None

    @property
    def failed(self) -> int:
        """Counted cases that did not pass."""
        return self.counted - self.passed

    @property
    def broke(self) -> bool:
        """True where the harness itself failed on a case: nothing is known of that one."""
        return any(found.verdict is Verdict.HARNESS_ERROR for found in self.verdicts)

    @property
    def right(self) -> bool:
        """True when every counted case passed, at least one did, and none is missing."""
        return self.passed > 0 and self.failed == 0 and self.missing == 0

    @property
    def source(self) -> str:
        """Where the operator is from: what stands before the colons of its name."""
        return self.operator.partition("::")[0]

    @property
    def decided(self) -> bool:
        """True where no further case can change whether it is right."""
        return self.failed > 0 or self.right
