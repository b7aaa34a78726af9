"""Workers started ahead of need: when a candidate's turn comes, torch is imported and the device is open."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from kgb_core.worker.handle import WorkerPlan, WorkerProcess


class WorkerPool:
    """Hands out single-use workers and keeps some warm.

    All workers are started from one thread that lives as long as the pool: the kernel ties a worker's life to
    the thread that started it.

    Args:
        plan: how they are started.
        ahead: how many wait warm.
    """

    def __init__(self, plan: WorkerPlan, ahead: int) -> None:
        self._plan = plan
        self._ahead = ahead
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worker starter")
        self._waiting: deque[Future[WorkerProcess]] = deque()
        self._lock = threading.Lock()
        self._closed = False
        self._expected = 0
        self._taken: list[WorkerProcess] = []

    def expect(self, count: int) -> None:
        """Say how many workers will still be wanted; as many of them as the pool keeps are started now."""
        with self._lock:
            self._expected = count
            self._fill(min(self._ahead, count))

    def take(self) -> WorkerProcess:
        """A worker, the caller's to kill. The next one is started meanwhile.

        Raises:
            RuntimeError: the pool is closed.
        """
        with self._lock:
            self._fill(1)
            if not self._waiting:
                raise RuntimeError("the worker pool is closed")
            future = self._waiting.popleft()
            self._fill(min(self._ahead, self._expected))
        worker = future.result()
        with self._lock:
            self._taken = [taken for taken in self._taken if taken.alive] + [worker]
        return worker

    def kill_all(self) -> None:
        """Kill every worker that was handed out: whoever waits for one is told that it is gone."""
        with self._lock:
            self._closed = True
            taken = list(self._taken)
        for worker in taken:
            worker.interrupt()

    def _fill(self, count: int) -> None:
        while not self._closed and len(self._waiting) < count:
            self._waiting.append(self._starter.submit(WorkerProcess, self._plan))

    def close(self) -> None:
        """Kill the workers that nobody took."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
        for future in waiting:
            future.result().kill()
        self._starter.shutdown()
