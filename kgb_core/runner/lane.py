"""One lane of a device: takes units, judges them, hands outcomes on. Lanes share nothing but their queue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from kgb_core.judge.candidate import CandidateJudge, Judge, Patience
from kgb_core.judge.check import Outcome, check_case
from kgb_core.judge.witness import Reference, ReferenceGone
from kgb_core.models.case import Purpose
from kgb_core.models.verdict import Verdict
from kgb_core.runner.planning import Item, Unit
from kgb_core.worker.pool import WorkerPool


@dataclass(frozen=True)
class Judged:
    """A planned case and its outcome."""

    unit: Unit
    item: Item
    outcome: Outcome


@dataclass
class DeviceState:
    """What the lanes of one device must tell one another: it is retired after a failed health check."""

    retired: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class LaneSettings:
    """How a lane judges.

    Attributes:
        patience: time limits of one candidate.
        translate: rewrite device names.
        time_case: what judges perf cases; `None` on a device whose times mean nothing.
        checks_hardware: ask for the device's health after a crash.
    """

    patience: Patience
    translate: bool
    time_case: Judge | None
    checks_hardware: bool


class Lane:
    """Judges units one after another with its own reference worker.

    Args:
        workers: where candidates' workers come from.
        reference: this lane's reference worker.
        state: of the device.
        settings: how to judge.
    """

    def __init__(
        self, workers: WorkerPool, reference: Reference, state: DeviceState, settings: LaneSettings
    ) -> None:
        self._workers = workers
        self._reference = reference
        self._state = state
        self._settings = settings

    def judge(self, unit: Unit) -> Iterator[Judged]:
        """One outcome for every item of the unit."""
        for item in unit.items:
            if item.unsupported:
                yield Judged(unit, item, Outcome(Verdict.UNSUPPORTED, item.unsupported))
        runnable = [item for item in unit.items if not item.unsupported]
        if self._state.retired:
            yield from (Judged(unit, item, self._retired()) for item in runnable)
        elif runnable:
            yield from self._judged(unit, runnable)

    def expect(self, units: int) -> None:
        """Say how many units wait for the lanes of this device: workers are started ahead for them."""
        self._workers.expect(units)

    def prove(self) -> None:
        """Start the reference worker and have it compute something.

        Raises:
            ReferenceGone: it does not start, or the device does not compute.
        """
        if not self._reference.healthy():
            raise ReferenceGone("a known computation gave a wrong answer")

    def close(self) -> None:
        """End the lane's reference worker."""
        self._reference.close()

    def _judged(self, unit: Unit, runnable: list[Item]) -> Iterator[Judged]:
        judge = CandidateJudge(
            unit.candidate,
            unit.operator.entry,
            self._workers,
            self._reference,
            self._settings.patience,
            self._settings.translate,
            self._judge_of(unit),
        )
        for item, outcome in zip(runnable, judge.outcomes([item.task for item in runnable]), strict=True):
            yield Judged(unit, item, outcome)
        if judge.crashed and self._settings.checks_hardware:
            self._check_health()

    def _judge_of(self, unit: Unit) -> Judge:
        if unit.purpose is Purpose.CHECK:
            return check_case
        assert self._settings.time_case is not None, "perf cases are planned only where times mean something"
        return self._settings.time_case

    def _check_health(self) -> None:
        with self._state.lock:
            try:
                healthy = self._reference.healthy()
            except ReferenceGone as gone:
                self._state.retired = str(gone)
                return
            if not healthy:
                self._state.retired = "a known computation gave a wrong answer after a crash"

    def _retired(self) -> Outcome:
        return Outcome(Verdict.HARNESS_ERROR, f"the device was retired: {self._state.retired}")
