"""Timing one perf case: candidate, baseline and nothing in turn, some answers checked."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kgb_core.judge.check import (
    Outcome,
    Task,
    collected_outcome,
    concluded,
    failed_outcome,
    judge_call,
    unfit_case,
)
from kgb_core.judge.evidence import Trail
from kgb_core.judge.tolerance import leading_dtype
from kgb_core.judge.witness import Reference
from kgb_core.models.device import Peaks
from kgb_core.models.timer import TimingMethod
from kgb_core.models.timing import Samples, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.operators.seeds import seed_of
from kgb_core.timing import statistics
from kgb_core.timing.roofline import Work, floor_ns
from kgb_core.worker.handle import WorkerProcess
from kgb_core.worker.protocol import Called, CallRequest, Failed, Prepared

_WARM_CALLS = 5
_VERIFY_SHARE = 0.04
"""Share of timed calls whose answers are checked, beside one of the first five."""
_FEWEST_ROUNDS = 10
"""Even where the budget is shorter: an interval of fewer samples means nothing."""
_MOST_ROUNDS = 200
MOST_CHECKED_CALLS = 1 + _MOST_ROUNDS
"""Calls of one perf case whose answers are checked, at the very most."""
_OVERHEAD_FACTOR = 4.0
"""A time within this factor of an empty region can't be told from launch overhead."""

KeepSamples = Callable[[str, Samples, Samples, Samples], str]
"""Stores the samples of candidate, baseline and an empty region under a uid; returns their path in the
bundle.
"""


@dataclass
class _Series:
    device_ns: list[int] = field(default_factory=list)
    call_ns: list[int] = field(default_factory=list)

    def add(self, device_ns: int, call_ns: int) -> None:
        self.device_ns.append(device_ns)
        self.call_ns.append(call_ns)

    def samples(self) -> Samples:
        return Samples(device_ns=tuple(self.device_ns), call_ns=tuple(self.call_ns))


@dataclass(frozen=True)
class Stopwatch:
    """Times cases on one device.

    Attributes:
        budget_seconds: for the measuring of one case; checking answers is not in it.
        peaks, peaks_source, cache_bytes: of the device, for the roofline floor.
        keep: stores raw samples.
    """

    budget_seconds: float
    peaks: Peaks
    cache_bytes: int | None
    keep: KeepSamples

    def time_case(self, task: Task, worker: WorkerProcess, reference: Reference, seconds: float) -> Outcome:
        """Judge and time one perf case; arguments and errors as in `check_case`."""
        return _Session(self, task, worker, reference, seconds).run()


class _Session:
    """The rounds of one perf case."""

    def __init__(
        self, watch: Stopwatch, task: Task, worker: WorkerProcess, reference: Reference, seconds: float
    ) -> None:
        self._watch = watch
        self._task = task
        self._worker = worker
        self._reference = reference
        self._seconds = seconds
        self._trail = Trail()
        self._secret = random.SystemRandom()
        self._sides = {"candidate": _Series(), "baseline": _Series(), "null": _Series()}
        self._verified = 0
        self._method = TimingMethod.HOST
        self._timer = ""
        self._too_long = ""
        self._measuring = 0.0
        self._seed = 0
        self._failed: Outcome | None = None

    def run(self) -> Outcome:
        seed = self._task.call_seed("first")
        prepared = self._reference.prepare(self._task, seed, ship=False)
        prepared.close()
        unfit = unfit_case(prepared.reply)
        if unfit:
            return unfit
        self._positional = prepared.reply.positional
        first = judge_call(
            self._task,
            self._worker,
            self._reference,
            [],
            self._call(seed, audit=True),
            seed,
            self._seconds,
            self._trail,
        )
        if first.verdict is not Verdict.PASSED:
            return first
        wrong = self._warm_up() or self._rounds()
        return wrong or self._concluded(prepared.reply)

    def _warm_up(self) -> Outcome | None:
        for index in range(_WARM_CALLS):
            seed = self._task.call_seed(f"warm {index}")
            reply = self._called(seed)
            wrong = self._trespassed(reply)
            if wrong:
                return wrong
            self._reference.baseline(self._task, seed)
        return None

    def _rounds(self) -> Outcome | None:
        sure = self._secret.randrange(5)
        for index in range(_MOST_ROUNDS):
            verify = index == sure or self._secret.random() < _VERIFY_SHARE
            began = time.monotonic()
            self._round(index)
            self._measuring += time.monotonic() - began
            wrong = self._failed or (self._verify() if verify else None)
            if wrong or self._enough(index + 1):
                return wrong
        return None

    def _enough(self, rounds: int) -> bool:
        if rounds < _FEWEST_ROUNDS:
            return False
        return self._measuring > self._watch.budget_seconds or self._settled()

    def _round(self, index: int) -> None:
        self._seed = self._task.call_seed(f"round {index}")
        order = list(self._sides)
        self._secret.shuffle(order)
        for side in order:
            if side == "candidate":
                self._candidate(self._seed)
            else:
                self._other(side, self._seed)

    def _other(self, side: str, seed: int) -> None:
        measured = self._reference.null() if side == "null" else self._reference.baseline(self._task, seed)
        self._sides[side].add(measured.device_ns, measured.call_ns)

    def _candidate(self, seed: int) -> None:
        began = time.perf_counter_ns()
        reply = self._called(seed)
        wall = time.perf_counter_ns() - began
        self._failed = self._trespassed(reply)
        if isinstance(reply, Failed):
            return
        if reply.device_ns > wall:
            self._too_long = f"the worker claims {reply.device_ns} ns of a call that took {wall} ns"
        self._method, self._timer = reply.method, reply.timer
        self._sides["candidate"].add(reply.device_ns, reply.call_ns)

    def _trespassed(self, reply: Called | Failed) -> Outcome | None:
        """What is wrong with a timed call, its answer apart."""
        if isinstance(reply, Failed):
            return failed_outcome(reply, self._trail)
        self._trail.add(reply.observations, self._task.operator)
        trespass = self._trail.trespass()
        if not trespass:
            return None
        return Outcome(Verdict.WRONG_ALIAS, f"in a timed call: {trespass}", self._trail.evidence())

    def _verify(self) -> Outcome | None:
        """Check what the timed call of this round left behind; it did not know that it would be asked."""
        self._verified += 1
        outcome = collected_outcome(
            self._task, self._worker, self._reference, self._seed, self._seconds, self._trail, ship=False
        )
        if outcome.verdict is Verdict.PASSED:
            return None
        return Outcome(
            outcome.verdict, f"in a timed call: {outcome.message}", outcome.evidence, outcome.errors
        )

    def _called(self, seed: int) -> Called | Failed:
        answered = self._worker.ask(self._call(seed, audit=False), self._seconds)
        answered.message.close()
        assert isinstance(answered.reply, (Called, Failed))
        return answered.reply

    def _call(self, seed: int, audit: bool) -> CallRequest:
        return CallRequest(
            case=self._task.case,
            seed=seed,
            positional=self._positional,
            mutates=tuple(sorted(self._task.operator.mutates)),
            audit=audit,
            reuse=self._secret.random() < 0.5,
            poison=seed_of(seed, "poison"),
            default_seed=seed_of(seed, "default"),
        )

    def _settled(self) -> bool:
        return all(statistics.settled(self._sides[side].device_ns) for side in ("candidate", "baseline"))

    def _concluded(self, prepared: Prepared) -> Outcome:
        outcome = concluded(self._task, self._trail, prepared.numel)
        if outcome.verdict is not Verdict.PASSED:
            return outcome
        return Outcome(outcome.verdict, "", outcome.evidence, outcome.errors, self._timing(prepared))

    def _timing(self, prepared: Prepared) -> Timing:
        candidate, baseline, null = (series.samples() for series in self._sides.values())
        floor = floor_ns(self._work(prepared), self._watch.peaks, self._watch.cache_bytes)
        mine, theirs = statistics.summary(candidate), statistics.summary(baseline)
        null_ns = statistics.summary(null).median_ns
        invalid = self._too_long or _implausible(mine.median_ns, floor)
        return Timing(
            method=self._method,
            timer=self._timer,
            candidate=mine,
            baseline=theirs,
            null_ns=null_ns,
            speedup=None if invalid else theirs.median_ns / mine.median_ns,
            speedup_interval=None if invalid else statistics.speedup(baseline.device_ns, candidate.device_ns),
            floor_ns=floor,
            floor_source=self._watch.peaks.source if floor else "",
            overhead_bound=mine.median_ns < _OVERHEAD_FACTOR * null_ns,
            bimodal=statistics.bimodal(candidate.device_ns),
            verified_calls=self._verified,
            invalid=invalid,
            samples=self._watch.keep(self._task.uid, candidate, baseline, null),
        )

    def _work(self, prepared: Prepared) -> Work:
        dtype = leading_dtype(self._task.case)
        return Work(prepared.bytes_read, prepared.bytes_written, prepared.flops, dtype)


def _implausible(median_ns: float, floor: float | None) -> str:
    if median_ns <= 0:
        return "the timer saw no time pass"
    if floor and median_ns < floor:
        return f"{median_ns:.0f} ns is below the roofline floor of {floor:.0f} ns"
    return ""
