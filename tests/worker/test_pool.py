"""The pool of warm workers: there when asked for, each handed out once, none left in the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from kgb_core.worker.handle import WorkerGone, WorkerPlan
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.protocol import LoadRequest

LOAD = LoadRequest(path="x", entry="x", translate=False)

Below = Callable[[], list[psutil.Process]]
Pools = Callable[..., WorkerPool]


@pytest.fixture
def pool_of(stub_plan: Callable[[str], WorkerPlan]) -> Iterator[Pools]:
    """Makes pools of stubs that are closed in the end."""
    pools: list[WorkerPool] = []

    def make(ahead: int, behaviour: str = "serves") -> WorkerPool:
        pools.append(WorkerPool(stub_plan(behaviour), ahead))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def eventually(condition: Callable[[], bool], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def test_nothing_is_started_before_it_is_asked_for(pool_of: Pools, below: Below) -> None:
    pool_of(ahead=2)
    assert below() == []


@pytest.mark.parametrize(("wanted", "started"), [(9, 2), (1, 1), (0, 0)])
def test_as_many_wait_as_the_pool_keeps_and_no_more_than_are_wanted(
    pool_of: Pools, below: Below, wanted: int, started: int
) -> None:
    pool_of(ahead=2).expect(wanted)
    assert eventually(lambda: len(below()) == started)
    time.sleep(0.2)
    assert len(below()) == started


def test_one_is_replaced_when_it_is_taken(pool_of: Pools, below: Below) -> None:
    pool = pool_of(ahead=1)
    pool.expect(5)
    first, second = pool.take(), pool.take()
    assert first.scratch != second.scratch
    assert eventually(lambda: len(below()) == 3)
    for worker in (first, second):
        worker.wait_ready(30.0)
        worker.kill()


def test_a_pool_that_keeps_none_still_gives(pool_of: Pools, below: Below) -> None:
    worker = pool_of(ahead=0).take()
    worker.wait_ready(30.0)
    assert len(below()) == 1
    worker.kill()


def test_closing_kills_who_waits_and_leaves_who_was_taken(
    pool_of: Pools, below: Below, tmp_path: Path
) -> None:
    pool = pool_of(ahead=2)
    pool.expect(5)
    taken = pool.take()
    pool.close()
    assert [process.environ()["TMPDIR"] for process in below()] == [str(taken.scratch)]
    taken.kill()
    assert below() == []
    assert list((tmp_path / "bundle" / "scratch").iterdir()) == []


def test_a_closed_pool_gives_none(pool_of: Pools) -> None:
    pool = pool_of(ahead=1)
    pool.expect(1)
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        pool.take()


def test_killing_all_wakes_who_waits_for_a_reply(pool_of: Pools, below: Below) -> None:
    pool = pool_of(ahead=0, behaviour="hangs")
    worker = pool.take()
    worker.wait_ready(30.0)
    timer = threading.Timer(0.1, pool.kill_all)
    timer.start()
    with pytest.raises(WorkerGone):
        worker.ask(LOAD, 60.0)
    timer.join()
    with pytest.raises(RuntimeError, match="closed"):
        pool.take()
    worker.kill()
    assert below() == []


def test_many_threads_get_a_worker_each(pool_of: Pools) -> None:
    pool, found = pool_of(ahead=1), []
    threads = [threading.Thread(target=lambda: found.append(pool.take())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({worker.scratch for worker in found}) == 4
    for worker in found:
        worker.kill()
