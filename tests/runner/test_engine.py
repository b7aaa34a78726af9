"""The engine: every item gets one outcome, nothing hangs, and timing has its device for itself."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from kgb_core.errors import NoDeviceError
from kgb_core.judge.check import Outcome
from kgb_core.judge.witness import ReferenceGone
from kgb_core.models.case import Purpose
from kgb_core.models.verdict import Verdict
from kgb_core.runner.engine import Crew, LocalEngine
from kgb_core.runner.lane import Judged
from kgb_core.runner.planning import Unit

PASSED = Outcome(Verdict.PASSED)


@dataclass(frozen=True)
class Named:
    """A station, of which the engine needs the name."""

    name: str


def unit(name: str, station: str = "chip:0", purpose: Purpose = Purpose.CHECK, items: int = 2) -> Unit:
    """A unit of items that are only counted."""
    parts: Any = tuple(f"{name} {index}" for index in range(items))
    source: Any = name
    where: Any = Named(station)
    return Unit(source, source, where, purpose, parts)


@dataclass
class Log:
    """What lanes did, told by all of them.

    Attributes:
        judged: lane and unit, in order.
        closed: lanes that were closed, and -1 for a pool.
        expected: how many units were said to wait.
        kills: lanes whose workers were killed.
        at_once: how many lanes worked at the same time, at most.
    """

    judged: list[tuple[int, str]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    kills: int = 0
    at_once: int = 0
    working: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass
class Played:
    """A lane that takes a moment for each item."""

    number: int
    log: Log
    raises: Exception | None = None
    killed: threading.Event = field(default_factory=threading.Event)
    hangs_after: int = 99

    def judge(self, unit: Unit) -> Iterator[Judged]:
        with self.log.lock:
            self.log.judged.append((self.number, str(unit.candidate)))
            self.log.working += 1
            self.log.at_once = max(self.log.at_once, self.log.working)
        try:
            for index, item in enumerate(unit.items):
                if self.raises:
                    raise self.raises
                if index >= self.hangs_after:
                    self.killed.wait(60)
                time.sleep(0.01)
                yield Judged(unit, item, PASSED)
        finally:
            with self.log.lock:
                self.log.working -= 1

    def expect(self, units: int) -> None:
        self.log.expected.append(units)

    def prove(self) -> None:
        if self.raises:
            raise self.raises

    def close(self) -> None:
        self.log.closed.append(self.number)


@dataclass
class Pool:
    """A pool that only notes what it is told."""

    lanes: list[Played]

    def kill_all(self) -> None:
        for lane in self.lanes:
            lane.log.kills += 1
            lane.killed.set()

    def close(self) -> None:
        self.lanes[0].log.closed.append(-1)


def engine_of(
    log: Log, lanes: int = 2, stations: tuple[str, ...] = ("chip:0",), **fields: Any
) -> LocalEngine:
    crews: dict[str, Any] = {}
    for number, name in enumerate(stations):
        crew: Any = [Played(10 * number + index, log, **fields) for index in range(lanes)]
        pool: Any = Pool(crew)
        crews[name] = Crew(crew, [pool])
    return LocalEngine(crews)


def items(judged: list[Judged]) -> Counter[str]:
    return Counter(str(one.item) for one in judged)


def test_every_item_comes_out_once() -> None:
    units = [unit(f"u{n}", station) for n in range(6) for station in ("chip:0", "chip:1")]
    log = Log()
    found = list(engine_of(log, stations=("chip:0", "chip:1")).run(units))
    assert items(found) == Counter({f"u{n} {i}": 2 for n in range(6) for i in range(2)})
    assert log.at_once > 1, "checks overlap"


def test_a_unit_goes_to_its_own_device() -> None:
    log = Log()
    units = [unit("a", "chip:0"), unit("b", "chip:1")]
    list(engine_of(log, stations=("chip:0", "chip:1")).run(units))
    assert {(lane // 10, name) for lane, name in log.judged} == {(0, "a"), (1, "b")}


def test_timing_has_its_device_for_itself() -> None:
    log = Log()
    list(engine_of(log, lanes=3).run([unit(f"u{n}", purpose=Purpose.PERF) for n in range(4)]))
    assert log.at_once == 1


def test_no_units_are_no_work() -> None:
    assert list(engine_of(Log()).run([])) == []


def test_an_error_in_a_lane_comes_out_and_ends_the_others() -> None:
    log = Log()
    engine = engine_of(log, raises=OSError("disk full"))
    with pytest.raises(OSError, match="disk full"):
        list(engine.run([unit(f"u{n}") for n in range(9)]))
    assert log.working == 0
    assert len(log.judged) <= 2


def test_leaving_early_ends_lanes_that_wait_for_a_worker() -> None:
    log = Log()
    engine = engine_of(log, hangs_after=1)
    running = engine.run([unit(f"u{n}") for n in range(9)])
    assert next(running).outcome is PASSED
    began = time.monotonic()
    running.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 30, "the lanes were still waiting"
    assert log.kills == 2
    assert log.working == 0
    assert len(log.judged) == 2


def test_closing_closes_lanes_and_pools() -> None:
    log = Log()
    engine = engine_of(log)
    engine.close()
    assert log.closed == [0, 1, -1]


def test_what_ends_by_itself_kills_nobody() -> None:
    log = Log()
    engine = engine_of(log)
    for _ in range(20):
        list(engine.run([unit(f"u{n}", items=0) for n in range(3)]))
    assert log.kills == 0


def test_lanes_are_told_how_many_units_wait() -> None:
    log = Log()
    list(engine_of(log, lanes=1).run([unit(f"u{n}") for n in range(4)]))
    assert log.expected == [3, 2, 1, 0]


def test_a_device_that_does_not_compute_is_refused_before_anything_is_judged() -> None:
    engine_of(Log()).prove()
    with pytest.raises(NoDeviceError, match="chip:0 can't be used") as caught:
        engine_of(Log(), raises=ReferenceGone("a known computation gave a wrong answer")).prove()
    assert caught.value.why == "a known computation gave a wrong answer"
