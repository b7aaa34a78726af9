"""Engines move units to devices and outcomes back, and change no verdict. `local`: this host."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from kgb_core.errors import NoDeviceError
from kgb_core.judge.witness import ReferenceGone
from kgb_core.models.case import Purpose
from kgb_core.runner.lane import Judged, Lane
from kgb_core.runner.planning import Unit
from kgb_core.worker.pool import WorkerPool


class Engine(Protocol):
    """Runs units and yields what became of each item, in any order."""

    def run(self, units: Sequence[Unit]) -> Iterator[Judged]:
        """Judge every unit; the iterator ends when all are done. Closing it early stops the workers."""


@dataclass(frozen=True)
class Crew:
    """The lanes of one device, and the pools that their workers come from."""

    lanes: list[Lane]
    pools: list[WorkerPool]


@dataclass(frozen=True)
class _Stopped:
    """A lane has no more units; `error` if it was stopped by one."""

    error: BaseException | None


class LocalEngine:
    """A thread for each lane of each device. Checks overlap; timing has its device for itself.

    Args:
        crews: by the name of the station.
    """

    def __init__(self, crews: dict[str, Crew]) -> None:
        self._crews = crews

    def run(self, units: Sequence[Unit]) -> Iterator[Judged]:
        """Judge every unit, device by device at the same time."""
        results: queue.Queue[Judged | _Stopped] = queue.Queue()
        stop = threading.Event()
        threads = [
            thread
            for name, crew in self._crews.items()
            for thread in self._threads(name, crew, units, results, stop)
        ]
        for thread in threads:
            thread.start()
        finished = False
        try:
            yield from _drained(results, len(threads))
            finished = True
        finally:
            stop.set()
            if not finished:
                self._kill()
            for thread in threads:
                thread.join()

    def prove(self) -> None:
        """Have every device compute something before anything is judged.

        Raises:
            NoDeviceError: one does not.
        """
        for name, crew in self._crews.items():
            try:
                crew.lanes[0].prove()
            except ReferenceGone as gone:
                raise NoDeviceError(f"{name} can't be used.", str(gone), "kgb doctor says more") from gone

    def close(self) -> None:
        """End every worker."""
        for crew in self._crews.values():
            for lane in crew.lanes:
                lane.close()
            for pool in crew.pools:
                pool.close()

    def _threads(
        self,
        name: str,
        crew: Crew,
        units: Sequence[Unit],
        results: queue.Queue[Judged | _Stopped],
        stop: threading.Event,
    ) -> list[threading.Thread]:
        mine = [unit for unit in units if unit.station.name == name]
        lanes = crew.lanes[:1] if any(unit.purpose is Purpose.PERF for unit in mine) else crew.lanes
        waiting: queue.SimpleQueue[Unit] = queue.SimpleQueue()
        for unit in mine:
            waiting.put(unit)
        return [
            threading.Thread(target=_work, args=(lane, waiting, results, stop), name=f"lane {name} {index}")
            for index, lane in enumerate(lanes)
        ]

    def _kill(self) -> None:
        for crew in self._crews.values():
            for pool in crew.pools:
                pool.kill_all()


def _work(
    lane: Lane,
    waiting: queue.SimpleQueue[Unit],
    results: queue.Queue[Judged | _Stopped],
    stop: threading.Event,
) -> None:
    try:
        while not stop.is_set():
            unit = waiting.get_nowait()
            lane.expect(waiting.qsize())
            for judged in lane.judge(unit):
                if stop.is_set():
                    break
                results.put(judged)
    except queue.Empty:
        results.put(_Stopped(None))
    except BaseException as error:
        results.put(_Stopped(error))
    else:
        results.put(_Stopped(None))


def _drained(results: queue.Queue[Judged | _Stopped], lanes: int) -> Iterator[Judged]:
    while lanes:
        result = results.get()
        if isinstance(result, Judged):
            yield result
            continue
        if result.error is not None:
            raise result.error
        lanes -= 1
