"""A lane: one outcome for every item, and a device that fails its health check judges nobody any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kgb_core.judge.candidate import Patience
from kgb_core.judge.check import Outcome, Task
from kgb_core.judge.witness import ReferenceGone
from kgb_core.models import Capabilities, Capability, Support
from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Purpose, Tier
from kgb_core.models.verdict import Verdict
from kgb_core.operators.cases import case, fp16, fp32, normal
from kgb_core.operators.registry import registry_of
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Operator
from kgb_core.runner.lane import DeviceState, Judged, Lane, LaneSettings
from kgb_core.runner.planning import Unit, units_of
from kgb_core.runner.stations import Station
from kgb_core.worker.channel import Message
from kgb_core.worker.handle import WorkerGone
from kgb_core.worker.protocol import Loaded


@dataclass
class Worker:
    """A worker that loads anything; `ends` says whether it dies of it."""

    scratch: Path
    ends: bool
    output: str = ""
    busy_seconds: float = 0.0

    def wait_ready(self) -> None:
        """It is."""

    def ask(self, request: Any, timeout: float) -> Any:
        if self.ends:
            raise WorkerGone("exit", "signal SIGKILL")
        return Answer()

    def kill(self) -> None:
        """There is no process."""


@dataclass(frozen=True)
class Answer:
    reply: Loaded = Loaded()  # noqa: RUF009
    message: Message = Message(b"", [])  # noqa: RUF009


@dataclass
class Parts:
    """A lane's pool and reference worker, played.

    Attributes:
        scratch: of every worker.
        ends: workers die of what they load.
        healthy: the answer to a health check.
        checks: how often it was asked for.
        timed: cases that went to the stopwatch.
    """

    scratch: Path
    ends: bool = False
    healthy: bool | Exception = True
    checks: int = 0
    timed: list[str] = field(default_factory=list)
    state: DeviceState = field(default_factory=DeviceState)

    def lane(self, checks_hardware: bool = True) -> Lane:
        settings = LaneSettings(
            Patience(60.0), translate=False, time_case=self.time_case, checks_hardware=checks_hardware
        )
        pool: Any = self
        reference: Any = Reference(self)
        return Lane(pool, reference, self.state, settings)

    def take(self) -> Worker:
        return Worker(self.scratch, self.ends)

    def time_case(self, task: Task, worker: Any, reference: Any, seconds: float) -> Outcome:
        self.timed.append(task.uid)
        return Outcome(Verdict.PASSED)


@dataclass
class Reference:
    parts: Parts

    def healthy(self) -> bool:
        self.parts.checks += 1
        if isinstance(self.parts.healthy, Exception):
            raise self.parts.healthy
        return self.parts.healthy


@pytest.fixture
def units(stations: Callable[..., list[Station]], make_candidate: Callable[..., Candidate]) -> list[Unit]:
    """The check unit and the perf unit of one candidate; one check case is unsupported."""
    made = Operator("law::scale", lambda self: self, Exact())
    made.check(*[case(dtype.short, self=normal((3,), dtype=dtype)) for dtype in (fp16, fp32)])
    made.perf(case("Llama", self=normal((3,), dtype=fp32)))
    no_halves = Capabilities(table={"float16": Capability(support=Support.UNSUPPORTED, reason="no halves")})
    (station, *_) = stations(can=no_halves)
    candidate = make_candidate("a", "law::scale")
    return units_of([candidate], registry_of([made]), [station], Tier.SMOKE, 7)


def verdicts(judged: list[Judged]) -> list[Verdict]:
    return [one.outcome.verdict for one in judged]


def test_an_unsupported_case_never_reaches_a_worker(units: list[Unit], tmp_path: Path) -> None:
    judged = list(Parts(tmp_path, ends=True).lane().judge(units[0]))
    assert verdicts(judged) == [Verdict.UNSUPPORTED, Verdict.CRASHED]
    assert judged[0].outcome.message == "no halves"
    assert {one.item.planned.uid for one in judged} == {item.planned.uid for item in units[0].items}


def test_perf_cases_go_to_the_stopwatch(units: list[Unit], tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    (perf,) = (unit for unit in units if unit.purpose is Purpose.PERF)
    assert verdicts(list(parts.lane().judge(perf))) == [Verdict.PASSED]
    assert parts.timed == [perf.items[0].planned.uid]
    assert parts.checks == 0, "nothing had crashed"


def test_after_a_crash_the_device_is_asked_for_its_health(units: list[Unit], tmp_path: Path) -> None:
    parts = Parts(tmp_path, ends=True)
    list(parts.lane().judge(units[0]))
    assert (parts.checks, parts.state.retired) == (1, "")
    list(parts.lane(checks_hardware=False).judge(units[0]))
    assert parts.checks == 1


@pytest.mark.parametrize(
    ("healthy", "reason"),
    [
        (False, "a known computation"),
        (ReferenceGone("the reference worker ended"), "the reference worker ended"),
    ],
    ids=["wrong", "gone"],
)
def test_an_unhealthy_device_is_retired_for_all_its_lanes(
    units: list[Unit], tmp_path: Path, healthy: bool | Exception, reason: str
) -> None:
    parts = Parts(tmp_path, ends=True, healthy=healthy)
    list(parts.lane().judge(units[0]))
    assert reason in parts.state.retired
    judged = list(parts.lane().judge(units[0]))
    assert verdicts(judged) == [Verdict.UNSUPPORTED, Verdict.HARNESS_ERROR]
    assert not judged[1].outcome.verdict.counts
    assert reason in judged[1].outcome.message


def test_a_lane_proves_its_device(tmp_path: Path) -> None:
    Parts(tmp_path).lane().prove()
    with pytest.raises(ReferenceGone, match="wrong answer"):
        Parts(tmp_path, healthy=False).lane().prove()
