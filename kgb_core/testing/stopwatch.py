"""Readings of a timer, and what the host's clock says of the same work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from kgb_core.models.timer import Timer
from kgb_core.testing.bench import WorkTimes

if TYPE_CHECKING:
    from kgb_core.testing.work import Work

_WARM = 3
_READINGS = 15
_FEW, _MANY = 2, 10
_SLOPES = 7


def clocked(call: Callable[[], object]) -> int:
    """Nanoseconds of a call by the host's clock."""
    began = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - began


class Stopwatch:
    """Uses a timer as a worker does.

    Args:
        timer: of the backend.
        synchronize: waits until the device is idle.
    """

    def __init__(self, timer: Timer, synchronize: Callable[[], None]) -> None:
        self._timer = timer
        self._synchronize = synchronize

    def readings(self, call: Callable[[], object], count: int) -> tuple[int, ...]:
        """So many readings of a call, after a few that are dropped."""
        return tuple(self._reading(call) for _ in range(_WARM + count))[_WARM:]

    def _reading(self, call: Callable[[], object]) -> int:
        self._synchronize()
        self._timer.prepare()
        self._timer.start()
        call()
        self._timer.stop()
        return self._timer.elapsed_ns()

    def times(self, work: Work) -> WorkTimes:
        """All readings of one kind of work; one call and two in turn, so that both see the same clocks."""
        pairs = [
            (self._reading(lambda: work.queue(1)), self._reading(lambda: self._twice(work)))
            for _ in range(_WARM + _READINGS)
        ][_WARM:]
        return WorkTimes(
            work=work.name,
            truth_ns=self._slope(work),
            one=tuple(one for one, _ in pairs),
            two=tuple(two for _, two in pairs),
            growing=tuple(self._shortest(work, units) for units in (1, 2, 4)),
        )

    def _twice(self, work: Work) -> None:
        work.queue(1)
        work.queue(1)

    def _shortest(self, work: Work, units: int) -> int:
        return min(self.readings(lambda: work.queue(units), 5))

    def _slope(self, work: Work) -> float:
        """What a call costs by the host's clock: many calls less a few, so that the wait cancels out."""
        many, few = (min(self._wall(work, calls) for _ in range(_SLOPES)) for calls in (_MANY, _FEW))
        return (many - few) / (_MANY - _FEW)

    def _wall(self, work: Work, calls: int) -> int:
        self._synchronize()

        def run() -> None:
            for _ in range(calls):
                work.queue(1)
            self._synchronize()

        return clocked(run)
