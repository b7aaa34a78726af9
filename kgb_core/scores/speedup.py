"""The speedup of one candidate over its perf cases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.models.record import Record
from kgb_core.models.timing import Interval
from kgb_core.models.verdict import Verdict


class Speedup(FrozenModel):
    """Weighted geometric mean over the timed perf cases of one operator."""

    value: float
    interval: Interval | None
    """95 %; `None` where a case has none."""
    cases: int
    overhead_bound: int
    """Cases among them whose time is close to that of an empty launch."""


@dataclass(frozen=True, slots=True)
class Point:
    """The speedup of one perf case."""

    weight: float
    speedup: float
    interval: Interval | None
    overhead_bound: bool


def speedup_of(records: Iterable[Record]) -> Speedup | None:
    """The speedup that the records of one candidate on one device give.

    Only passed cases with a valid time count; a failure never counts as 1.0. The interval takes the cases as
    independent: half-widths on a log scale add in squares, lower and upper apart.

    Returns:
        `None` where nothing was timed.
    """
    return speedup_from([point for record in records if (point := point_of(record)) is not None])


def speedup_from(points: Sequence[Point]) -> Speedup | None:
    """The speedup that some perf cases give together; see `speedup_of`."""
    if not points:
        return None
    total = sum(point.weight for point in points)
    log = sum(point.weight * math.log(point.speedup) for point in points) / total
    return Speedup(
        value=math.exp(log),
        interval=_interval(points, total, log),
        cases=len(points),
        overhead_bound=sum(point.overhead_bound for point in points),
    )


def point_of(record: Record) -> Point | None:
    """The speedup of one case; `None` where it did not pass, was not timed or its time is not believed."""
    timing = record.timing
    if record.verdict is not Verdict.PASSED or timing is None or timing.invalid:
        return None
    speedup = timing.speedup
    if speedup is None or not math.isfinite(speedup) or speedup <= 0:
        return None
    return Point(
        weight=record.case.weight,
        speedup=speedup,
        interval=_usable(timing.speedup_interval),
        overhead_bound=timing.overhead_bound,
    )


def _usable(interval: Interval | None) -> Interval | None:
    if interval is None or not 0 < interval.low <= interval.high < math.inf:
        return None
    return interval


def _interval(points: Sequence[Point], total: float, log: float) -> Interval | None:
    below = above = 0.0
    for point in points:
        if point.interval is None:
            return None
        below += (point.weight * math.log(point.speedup / point.interval.low)) ** 2
        above += (point.weight * math.log(point.interval.high / point.speedup)) ** 2
    return Interval(
        low=math.exp(log - math.sqrt(below) / total), high=math.exp(log + math.sqrt(above) / total)
    )
