"""Compiling candidates for targets: a worker a candidate, and a new one where it did not answer."""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from kgb_core.crosscompile.cases import calls_of, usable
from kgb_core.crosscompile.process import CompileWorker, WorkerFailed, Workshop
from kgb_core.crosscompile.protocol import Call, CompileRequest
from kgb_core.crosscompile.records import CandidateResult, TargetResult
from kgb_core.crosscompile.verdict import judged, unanswered, unsupported
from kgb_core.models.candidate import Candidate
from kgb_core.models.device import Capabilities, Target
from kgb_core.operators.spec import Operator
from kgb_core.worker.sandbox import Sandbox

_KEPT = "kept"


@dataclass(frozen=True)
class Job:
    """One candidate and what it is called with.

    Attributes:
        candidate: the source.
        entry: the function to call.
        calls: what with.
        needs_launch: whether launching nothing is a failure.
    """

    candidate: Candidate
    entry: str
    calls: tuple[Call, ...]
    needs_launch: bool

    @classmethod
    def of(cls, candidate: Candidate, operator: Operator) -> Job:
        """The job for a candidate of an operator."""
        return cls(candidate, operator.entry, calls_of(operator), operator.kind.needs_launch)


@dataclass(frozen=True)
class Aim:
    """A target, and what is known of it before a worker starts.

    Attributes:
        target: what to compile for.
        capabilities: what its chips can do; dtypes that they can't are left out.
        python: the interpreter whose Triton compiles for it.
    """

    target: Target
    capabilities: Capabilities = field(default_factory=Capabilities)
    python: str = sys.executable


@dataclass(frozen=True)
class Order:
    """What a user asked for.

    Attributes:
        aims: what to compile for.
        seconds: limit for one candidate on one target.
        level: the sandbox.
        workers: candidates at once.
        keep: where compiled forms go; `None`: nowhere.
    """

    aims: tuple[Aim, ...]
    seconds: float
    level: Sandbox
    workers: int
    keep: Path | None = None


Finished = Callable[[CandidateResult], None]


def compile_all(jobs: list[Job], order: Order, finished: Finished) -> list[CandidateResult]:
    """Compile every job for every target.

    Args:
        jobs: the candidates.
        order: how.
        finished: told each result, from any thread.

    Returns:
        The results in the order of the jobs.
    """
    with _crew(order.level) as crew, _threads(order.workers, crew) as threads:

        def one(job: Job) -> CandidateResult:
            result = CandidateResult.of(job.candidate, tuple(_results(job, order, crew)))
            finished(result)
            return result

        return list(threads.map(one, jobs))


class _Crew:
    """The workers that are running, so that an interrupt can end them."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._lock = threading.Lock()
        self._running: list[CompileWorker] = []
        self._stopped = False

    def hire(self, python: str) -> CompileWorker:
        """Start a worker.

        Args:
            python: its interpreter.

        Raises:
            InterruptedError: the crew was stopped.
        """
        with self._lock:
            if self._stopped:
                raise InterruptedError("compiling was stopped")
            worker = CompileWorker(self._shop, python)
            self._running.append(worker)
        return worker

    def dismiss(self, worker: CompileWorker) -> None:
        """End a worker."""
        with self._lock:
            self._running.remove(worker)
        worker.kill()

    def stop(self) -> None:
        """Interrupt all workers and start no more; whoever waits for one is told that it is gone."""
        with self._lock:
            self._stopped = True
            for worker in self._running:
                worker.interrupt()


@contextmanager
def _crew(level: Sandbox) -> Iterator[_Crew]:
    with tempfile.TemporaryDirectory(prefix="kgb-compile-", ignore_cleanup_errors=True) as root:
        yield _Crew(Workshop(Path(root), level))


@contextmanager
def _threads(count: int, crew: _Crew) -> Iterator[ThreadPoolExecutor]:
    """A thread must outlive the workers that it starts: the kernel ends them with it."""
    threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix="compile")
    try:
        yield threads
    except BaseException:
        crew.stop()
        raise
    finally:
        threads.shutdown(cancel_futures=True)


def _results(job: Job, order: Order, crew: _Crew) -> Iterator[TargetResult]:
    """Targets of one interpreter share a worker."""
    results: dict[str, TargetResult] = {}
    aims = sorted(order.aims, key=lambda aim: aim.python)
    for python, group in groupby(aims, key=lambda aim: aim.python):
        results.update((result.target, result) for result in _under(python, list(group), job, order, crew))
    return (results[aim.target.name] for aim in order.aims)


def _under(python: str, aims: list[Aim], job: Job, order: Order, crew: _Crew) -> Iterator[TargetResult]:
    worker: CompileWorker | None = None
    try:
        for aim in aims:
            worker = worker or crew.hire(python)
            try:
                yield _asked(worker, job, aim, order)
            except WorkerFailed as failed:
                yield unanswered(aim.target.name, failed.status, str(failed))
                crew.dismiss(worker)
                worker = None
    finally:
        if worker is not None:
            crew.dismiss(worker)


def _asked(worker: CompileWorker, job: Job, aim: Aim, order: Order) -> TargetResult:
    target, able = aim.target, usable(job.calls, aim.capabilities)
    if job.calls and not able.calls:
        return unsupported(target.name, able.left_out)
    path = worker.scratch / "candidate" / f"{_folder(job.candidate).name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(job.candidate.source, encoding="utf-8")
    kept = worker.scratch / _KEPT
    request = CompileRequest(
        path=str(path),
        entry=job.entry,
        calls=able.calls,
        target=target,
        keep=str(kept) if order.keep else "",
    )
    built = worker.ask(request, order.seconds)
    if order.keep:
        _move(kept, order.keep / target.name.replace(":", "-") / _folder(job.candidate))
    found = judged(target.name, built, job.needs_launch)
    return found.model_copy(update={"left_out": able.left_out, "triton": worker.triton})


def _folder(candidate: Candidate) -> Path:
    """Where a candidate's files go below a target: `aten__softmax`, or `aten__softmax/sample`."""
    operator = candidate.operator.replace("::", "__")
    return Path(operator) if candidate.name == operator else Path(operator, candidate.name)


def _move(source: Path, destination: Path) -> None:
    """Move regular files only: what lies there was written beside a candidate."""
    if not source.is_dir() or source.is_symlink():
        return
    destination.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.is_file() and not file.is_symlink():
            shutil.move(file, destination / file.name)
    shutil.rmtree(source)
