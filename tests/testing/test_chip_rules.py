"""The rules of the chip tier on measurements made up by hand: each finds its own fault, and no other."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from kgb_core.models.case import Purpose
from kgb_core.models.device import Capabilities, Capability, Device, Feature, Support
from kgb_core.models.record import CandidateRef, Record
from kgb_core.models.timer import TimingMethod
from kgb_core.models.verdict import Verdict
from kgb_core.testing.bench import Bench, Healthy, Task, Times, Waited, Waiting, WorkTimes
from kgb_core.testing.judged import Judged
from kgb_core.testing.rules import judging, presence, timing

MS = 1_000_000
WORK = WorkTimes(
    work="library",
    truth_ns=2.0 * MS,
    one=(2_010_000, 2_013_000, 2_500_000),
    two=(4_010_000, 4_020_000, 4_100_000),
    growing=(2 * MS, 4 * MS, 8 * MS),
)
RIGHT = Times(
    timer="events", method=TimingMethod.EVENTS, works=(WORK,), empty=(1500, 2000, 2500), short=(5000, 5500)
)


def with_work(**changes: Any) -> Times:
    return RIGHT.model_copy(update={"works": (WORK, WORK.model_copy(update=changes))})


TICKS = {"one": (2 * MS,), "two": (4 * MS,), "growing": (2 * MS, 4 * MS, 8 * MS)}
WRONG_TIMES: Mapping[str, Times] = MappingProxyType(
    {
        "test_known_length_measures_right": with_work(truth_ns=4.0 * MS),
        "test_two_kernels_measure_twice": with_work(two=(2_010_000, 2_013_000)),
        "test_zero_kernels_are_flagged": RIGHT.model_copy(update={"empty": (MS, MS, MS)}),
        "test_timer_is_monotonic": with_work(growing=(2 * MS, 4 * MS, MS)),
        "test_timer_resolves_ten_microseconds": Times(
            timer="ticks",
            method=TimingMethod.HOST,
            works=(WORK.model_copy(update=TICKS),),
            empty=(0, 0, 0),
            short=(0, 50_000),
        ),
    }
)


def failed(rules: list[Callable[[], None]]) -> list[str]:
    """The names of the rules that fail."""
    names = []
    for rule in rules:
        try:
            rule()
        except (AssertionError, pytest.fail.Exception):
            names.append(rule.__name__)
    return names


def rules_on(times: Times) -> list[Callable[[], None]]:
    return [bound(rule, times) for name, rule in vars(timing).items() if name.startswith("test_")]


def bound(rule: Callable[..., None], *arguments: Any) -> Callable[[], None]:
    def call() -> None:
        rule(*arguments)

    call.__name__ = rule.__name__
    return call


def test_each_rule_on_timing_has_its_fault_here() -> None:
    assert list(WRONG_TIMES) == [rule.__name__ for rule in rules_on(RIGHT)]


def test_right_times_pass() -> None:
    assert failed(rules_on(RIGHT)) == []


@pytest.mark.parametrize("name", WRONG_TIMES)
def test_a_wrong_timer_fails_one_rule(name: str) -> None:
    assert failed(rules_on(WRONG_TIMES[name])) == [name]


def test_a_negative_reading_of_nothing_is_a_fault() -> None:
    times = RIGHT.model_copy(update={"empty": (-5, 1500, 2000)})
    assert failed(rules_on(times)) == ["test_zero_kernels_are_flagged"]


class Told(Bench):
    """A bench whose answers are given."""

    def __init__(self, *answers: Any, returncode: int = -6) -> None:
        super().__init__("chip", Device(index=0, name="Chip"), {})
        object.__setattr__(self, "answers", list(answers))
        object.__setattr__(self, "returncode", returncode)

    def ask(self, task: Task, kind: type[Any]) -> Any:
        return self.answers.pop(0)  # type: ignore[attr-defined]

    def run(self, task: Task) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], self.returncode, "", "it ended")  # type: ignore[attr-defined]


def waiting(read_ns: int, stream: str = "default") -> Waiting:
    good = Waited(stream="default", queue_ns=MS, wait_ns=40 * MS, read_ns=20_000)
    return Waiting(streams=(good, Waited(stream=stream, queue_ns=MS, wait_ns=4 * MS, read_ns=read_ns)))


def test_a_synchronize_that_waits_passes() -> None:
    presence.test_synchronize_really_waits(Told(waiting(read_ns=30_000)))


def test_one_that_leaves_another_stream_alone_does_not() -> None:
    with pytest.raises(AssertionError, match=r"on another stream: .*took 5.00 ms.* another 40.00 ms"):
        presence.test_synchronize_really_waits(Told(waiting(read_ns=40 * MS, stream="another")))


@pytest.mark.parametrize(
    ("health", "told"),
    [
        (Healthy(says=False, computes=True), "kgb_check_health says that it does not"),
        (Healthy(says=True, computes=False), "computes wrongly"),
    ],
)
def test_an_ill_device_after_a_crash_is_a_fault(health: Healthy, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        presence.test_a_crash_leaves_the_device_usable(Told(health), Task.ABORT)


def test_a_process_that_does_not_die_proves_nothing() -> None:
    with pytest.raises(AssertionError, match="did not die"):
        presence.test_a_crash_leaves_the_device_usable(
            Told(Healthy(says=True, computes=True), returncode=0), Task.ABORT
        )


GOOD, BAD = "scale/good", "scale/wrong_value"


@pytest.fixture
def judged(make_record: Callable[..., Record], make_timing: Callable[..., Any]) -> Callable[..., Judged]:
    """A right and a wrong kernel, judged as given."""

    def judge(
        good: Verdict = Verdict.PASSED, bad: Verdict = Verdict.WRONG_VALUE, invalid: str = ""
    ) -> Judged:
        def record(name: str, verdict: Verdict, **changes: Any) -> Record:
            candidate = CandidateRef(name=name, sha256="0" * 64, pack="pack")
            return make_record(operator="conformance::scale", candidate=candidate, verdict=verdict, **changes)

        timed = record("good", good, timing=make_timing(invalid=invalid))
        assert timed.case.purpose is Purpose.PERF
        return Judged((record("good", good), record("wrong_value", bad), timed))

    return judge


TIMED = Capabilities(table={Feature.TIMING.value: Capability(support=Support.FULL)})


def judging_rules(judged: Judged) -> list[Callable[[], None]]:
    return [
        bound(judging.test_known_good_kernels_pass, judged),
        bound(judging.test_known_bad_kernels_fail, judged),
        bound(judging.test_known_good_kernels_are_timed, judged, TIMED),
    ]


def test_right_verdicts_pass(judged: Callable[..., Judged]) -> None:
    assert set(judged().samples) == {GOOD, BAD}
    assert failed(judging_rules(judged())) == []


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"bad": Verdict.PASSED}, "test_known_bad_kernels_fail"),
        ({"bad": Verdict.HARNESS_ERROR}, "test_known_bad_kernels_fail"),
        ({"invalid": "below the roofline floor"}, "test_known_good_kernels_are_timed"),
    ],
)
def test_a_wrong_verdict_fails_one_rule(
    judged: Callable[..., Judged], wrong: dict[str, Any], rule: str
) -> None:
    assert failed(judging_rules(judged(**wrong))) == [rule]


def test_a_good_kernel_that_fails_is_one_fault_and_its_time_is_not_asked_for(
    judged: Callable[..., Judged],
) -> None:
    wrong = judged(good=Verdict.WRONG_VALUE)
    assert failed(judging_rules(wrong)[:2]) == ["test_known_good_kernels_pass"]
    with pytest.raises(pytest.skip.Exception, match="known-good-kernels-pass tells why"):
        judging.test_known_good_kernels_are_timed(wrong, TIMED)


def test_a_run_without_a_wrong_kernel_proves_nothing(judged: Callable[..., Judged]) -> None:
    whole = judged()
    only_good = replace(whole, records=tuple(r for r in whole.records if r.candidate.name == "good"))
    assert failed(judging_rules(only_good)) == ["test_known_bad_kernels_fail"]
