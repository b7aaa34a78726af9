"""The speedup over many operators: a geometric mean that says over how many it is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Interval
from kgb_core.scores.resample import mean_interval


class MeanSpeedup(FrozenModel):
    """The geometric mean over operators, beside its coverage.

    A mean over what happens to be right rewards giving up on hard operators, so it never stands alone.
    """

    value: float | None
    """Over the matched set: operators that are right and have a valid time; `None` of none."""
    interval: Interval | None
    """95 %, over operators drawn anew."""
    matched: int
    wanted: int
    """Operators that a time is asked of."""
    penalised: float | None
    """The same over all wanted ones, where a failure counts as falling back to the native operator: 1.0."""
    penalised_interval: Interval | None

    @property
    def coverage(self) -> float | None:
        """The share of the wanted ones that is in the mean."""
        return self.matched / self.wanted if self.wanted else None


def mean_speedup(speedups: Sequence[float | None]) -> MeanSpeedup:
    """The geometric mean of the speedups of some operators.

    Of 2.0, 0.5 and 4.0 and one failure: the mean is (2 x 0.5 x 4)^(1/3) = 1.587 over 3 of 4; penalised,
    with 1.0 for the failure, it is 4^(1/4) = 1.414.

    Args:
        speedups: one an operator that a time is asked of, `None` where there is none.

    Raises:
        ValueError: a speedup is not above zero.
    """
    if any(value is not None and not 0 < value < math.inf for value in speedups):
        raise ValueError("a speedup is a finite number above zero")
    logs = [math.log(value) for value in speedups if value is not None]
    all_logs = [0.0 if value is None else math.log(value) for value in speedups]
    return MeanSpeedup(
        value=_geometric(logs),
        interval=_grown(mean_interval(logs)),
        matched=len(logs),
        wanted=len(speedups),
        penalised=_geometric(all_logs),
        penalised_interval=_grown(mean_interval(all_logs)),
    )


def _geometric(logs: Sequence[float]) -> float | None:
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def _grown(interval: Interval | None) -> Interval | None:
    return Interval(low=math.exp(interval.low), high=math.exp(interval.high)) if interval else None
