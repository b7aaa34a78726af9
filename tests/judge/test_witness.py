"""The conductor's way to the reference worker: another one is started when it ends, and no reply is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from kgb_core.judge.check import Task
from kgb_core.judge.witness import Reference, ReferenceGone
from kgb_core.models.timer import TimingMethod
from kgb_core.worker.channel import Message
from kgb_core.worker.handle import WorkerGone
from kgb_core.worker.protocol import HealthReport, HealthRequest, Measured, NullRequest, PrepareRequest

MEASURED = Measured(device_ns=3, call_ns=4, timer="t", method=TimingMethod.HOST)


@dataclass
class Worker:
    """A reference worker that gives one answer to everything."""

    answer: BaseModel | WorkerGone
    last_words: str = "ImportError: no torch"
    asked: list[BaseModel] = field(default_factory=list)
    killed: bool = False

    def wait_ready(self) -> None:
        """It is."""

    def ask(self, request: BaseModel, timeout: float, descriptors: list[int] | None = None) -> Any:
        self.asked.append(request)
        if isinstance(self.answer, WorkerGone):
            raise self.answer
        return _Answer(self.answer)

    def kill(self) -> None:
        self.killed = True


@dataclass(frozen=True)
class _Answer:
    reply: BaseModel
    message: Message = Message(b"", [])  # noqa: RUF009


@dataclass
class Pool:
    workers: list[Worker]

    def take(self) -> Worker:
        return self.workers.pop(0)


def reference(*workers: Worker) -> Reference:
    pool: Any = Pool(list(workers))
    return Reference(pool)


def test_one_worker_answers_everything() -> None:
    worker = Worker(MEASURED)
    witness = reference(worker)
    assert witness.null() == witness.null() == MEASURED
    assert worker.asked == [NullRequest(), NullRequest()]


def test_none_is_started_before_it_is_asked() -> None:
    witness = reference()
    witness.close()


def test_when_it_ends_the_next_question_goes_to_another() -> None:
    dead = Worker(WorkerGone("exit", "signal SIGSEGV"))
    witness = reference(dead, Worker(MEASURED))
    with pytest.raises(ReferenceGone, match=r"ended: signal SIGSEGV\. ImportError: no torch"):
        witness.null()
    assert dead.killed
    assert witness.null() == MEASURED


def test_another_reply_than_asked_for_is_its_end() -> None:
    with pytest.raises(ReferenceGone, match="answered measured, want HealthReport"):
        reference(Worker(MEASURED)).healthy()
    assert reference(Worker(HealthReport(usable=False))).healthy() is False


def test_a_request_names_operator_case_and_seed(task: Task) -> None:
    worker = Worker(MEASURED)
    with pytest.raises(ReferenceGone):
        reference(worker).prepare(task, 5, ship=False)
    (request,) = worker.asked
    assert isinstance(request, PrepareRequest)
    assert (request.operator, request.case, request.seed, request.ship) == ("law::scale", task.case, 5, False)
    assert request != HealthRequest()


def test_closing_ends_the_worker_once() -> None:
    worker = Worker(MEASURED)
    witness = reference(worker, Worker(MEASURED))
    witness.null()
    witness.close()
    witness.close()
    assert worker.killed
    assert witness.null() == MEASURED, "and a new one is started if it is asked again"
