"""Timing one perf case: who is measured when, what is checked, and which times are not believed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from kgb_core.judge.check import Outcome, Task
from kgb_core.judge.timed import Stopwatch
from kgb_core.models.device import Peaks
from kgb_core.models.timer import TimingMethod
from kgb_core.models.timing import Samples, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.worker.protocol import Called, Failed, Judged, Stage

if TYPE_CHECKING:
    from conftest import Script

    Scripts = Callable[..., Script]

Calls = Callable[..., Called]
REFUSAL = Failed(
    stage=Stage.CALL,
    type="ValueError",
    bases=(),
    message="tired",
    traceback="",
    declined=False,
    in_compiler=False,
)
FIRST_ROUND = 6
"""Calls before the first that is timed: one that is checked and watched, five to warm up."""


@dataclass
class Bench:
    """A stopwatch, and what it keeps of the samples."""

    peaks: Peaks = Peaks()  # noqa: RUF009
    budget_seconds: float = 60.0
    kept: list[Samples] = field(default_factory=list)

    def outcome(self, task: Task, script: Script) -> Outcome:
        watch = Stopwatch(self.budget_seconds, self.peaks, cache_bytes=0, keep=self._keep)
        played: Any = script
        return watch.time_case(task, played, played, seconds=1.0)

    def _keep(self, uid: str, *sides: Samples) -> str:
        self.kept.extend(sides)
        return f"samples/{uid}.json"


def slow(reply: Called) -> Called:
    """A reply that took as long as a call of a real worker, so that its times can be believed."""
    until = time.perf_counter_ns() + 2 * reply.device_ns
    while time.perf_counter_ns() < until:
        pass
    return reply


@pytest.fixture
def honest(script_of: Scripts, called: Calls) -> Script:
    return script_of(called=lambda n: slow(called()))


def timing_of(found: Outcome) -> Timing:
    assert found.verdict is Verdict.PASSED, found.message
    assert found.timing is not None
    return found.timing


def test_a_steady_candidate_is_timed_until_its_median_is_sure(task: Task, honest: Script) -> None:
    bench = Bench()
    timing = timing_of(bench.outcome(task, honest))
    assert (timing.candidate.median_ns, timing.baseline.median_ns, timing.null_ns) == (2000, 4000, 10)
    assert (timing.speedup, timing.invalid, timing.bimodal) == (2.0, "", False)
    assert timing.speedup_interval is not None
    assert timing.speedup_interval.low == timing.speedup_interval.high == 2.0
    assert (timing.method, timing.timer) == (TimingMethod.EVENTS, "events")
    assert timing.candidate.call_median_ns == 2500
    assert [len(samples.device_ns) for samples in bench.kept] == [20, 20, 20]
    assert timing.samples == "samples/uid.json"


def test_candidate_baseline_and_nothing_take_turns(task: Task, honest: Script) -> None:
    Bench().outcome(task, honest)
    steps = [step for step in honest.log if step in ("call", "baseline", "null")]
    timed = steps[2 * FIRST_ROUND - 1 :]
    turns = [tuple(timed[i : i + 3]) for i in range(0, len(timed), 3)]
    assert all(sorted(turn) == ["baseline", "call", "null"] for turn in turns)
    assert len(set(turns)) > 1, "always the same order"


def test_every_call_has_contents_of_its_own(task: Task, honest: Script) -> None:
    Bench().outcome(task, honest)
    seeds = [call.seed for call in honest.calls]
    assert len(set(seeds)) == len(seeds)
    assert all(call.case == task.case for call in honest.calls)
    assert {call.reuse for call in honest.calls} == {True, False}
    assert [call.audit for call in honest.calls] == [True] + [False] * (len(seeds) - 1)


def test_some_timed_answers_are_checked_at_least_one(task: Task, honest: Script) -> None:
    timing = timing_of(Bench().outcome(task, honest))
    assert timing.verified_calls == honest.log.count("judge") - 1 >= 1


def test_a_wrong_answer_is_not_timed(task: Task, honest: Script) -> None:
    honest.judged = lambda n: Judged(verdict=Verdict.WRONG_VALUE, message="got 1")
    found = Bench().outcome(task, honest)
    assert (found.verdict, found.timing) == (Verdict.WRONG_VALUE, None)
    assert honest.log.count("call") == 1


def test_a_fallback_is_not_timed(task: Task, script_of: Scripts, called: Calls) -> None:
    found = Bench().outcome(task, script_of(called=lambda n: called(aten={"aten::mul": 1})))
    assert (found.verdict, found.timing) == (Verdict.FALLBACK, None)


def test_an_answer_that_is_wrong_only_when_timed_is_found(task: Task, honest: Script) -> None:
    honest.judged = lambda n: Judged(verdict=Verdict.WRONG_VALUE if n else Verdict.PASSED, message="got 1")
    found = Bench().outcome(task, honest)
    assert (found.verdict, found.message) == (Verdict.WRONG_VALUE, "in a timed call: got 1")
    assert found.timing is None


@pytest.mark.parametrize("call", [0, 3, FIRST_ROUND + 2], ids=["first", "warm-up", "timed"])
def test_a_call_that_fails_ends_the_case(task: Task, script_of: Scripts, called: Calls, call: int) -> None:
    script = script_of(called=lambda n: REFUSAL if n == call else called())
    found = Bench().outcome(task, script)
    assert (found.verdict, found.message) == (Verdict.RUNTIME_ERROR, "ValueError: tired")
    assert script.log.count("call") == call + 1


@pytest.mark.parametrize("call", [3, FIRST_ROUND + 2], ids=["warm-up", "timed"])
@pytest.mark.parametrize("seen", [{"mutated": ("self",)}, {"guards": ("input 0",)}], ids=["input", "guard"])
def test_memory_is_watched_in_timed_calls_too(
    task: Task, script_of: Scripts, called: Calls, seen: dict[str, Any], call: int
) -> None:
    script = script_of(called=lambda n: called(**seen) if n == call else called())
    found = Bench().outcome(task, script)
    assert found.verdict is Verdict.WRONG_ALIAS
    assert found.message.startswith("in a timed call: ")


def test_a_time_longer_than_the_call_itself_is_not_believed(
    task: Task, script_of: Scripts, called: Calls
) -> None:
    script = script_of(called=lambda n: called(device_ns=10**10))
    timing = timing_of(Bench().outcome(task, script))
    assert "the worker claims 10000000000 ns" in timing.invalid
    assert (timing.speedup, timing.speedup_interval) == (None, None)


def test_a_time_below_the_roofline_floor_is_not_believed(task: Task, honest: Script) -> None:
    fast = Bench(Peaks(bytes_per_second=1e12, source="datasheet"))
    assert timing_of(fast.outcome(task, honest)).floor_ns == 8.0
    slow_memory = Bench(Peaks(bytes_per_second=1e9, source="datasheet"))
    timing = timing_of(slow_memory.outcome(task, honest))
    assert (timing.floor_ns, timing.floor_source) == (8000.0, "datasheet")
    assert timing.invalid == "2000 ns is below the roofline floor of 8000 ns"
    assert timing.speedup is None


def test_a_timer_that_sees_nothing_is_not_believed(task: Task, script_of: Scripts, called: Calls) -> None:
    bench = Bench(budget_seconds=0.0)
    timing = timing_of(bench.outcome(task, script_of(called=lambda n: called(device_ns=0))))
    assert timing.invalid == "the timer saw no time pass"


def test_a_time_near_an_empty_launch_is_labelled(task: Task, honest: Script) -> None:
    assert not timing_of(Bench().outcome(task, honest)).overhead_bound
    honest.device_ns["null"] = 600
    assert timing_of(Bench().outcome(task, honest)).overhead_bound


def test_a_budget_ends_the_rounds_but_not_before_ten(task: Task, script_of: Scripts, called: Calls) -> None:
    script = script_of(called=lambda n: slow(called(device_ns=1000 + 400 * (n % 7))))
    bench = Bench(budget_seconds=0.0)
    assert timing_of(bench.outcome(task, script)).candidate.count == 10


def test_noise_is_measured_longer_but_not_for_ever(task: Task, script_of: Scripts, called: Calls) -> None:
    script = script_of(called=lambda n: slow(called(device_ns=1000 if n % 2 else 9000)))
    timing = timing_of(Bench().outcome(task, script))
    assert timing.candidate.count == 200
    assert timing.bimodal


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [({"native_error": "no"}, Verdict.UNSUPPORTED), ({"invalid": "no"}, Verdict.INVALID_CASE)],
    ids=["unsupported", "invalid"],
)
def test_a_case_that_nobody_can_run_is_not_timed(
    task: Task, honest: Script, changes: dict[str, str], verdict: Verdict
) -> None:
    honest.prepared = honest.prepared.model_copy(update=changes)
    assert Bench().outcome(task, honest).verdict is verdict
    assert Counter(honest.log) == {"prepare": 1}
