"""The conductor's way of talking to the reference worker; starts another one when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from kgb_core.models.draw import Draw
from kgb_core.worker.handle import Answered, WorkerGone, WorkerProcess
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.protocol import (
    BaselineRequest,
    Collected,
    HealthReport,
    HealthRequest,
    Judged,
    JudgeRequest,
    Measured,
    NullRequest,
    Prepared,
    PrepareRequest,
)

if TYPE_CHECKING:
    from kgb_core.judge.check import Task

SECONDS = 600.0
"""A reference worker that takes longer over one request is taken for dead."""

R = TypeVar("R", bound=BaseModel)


class ReferenceGone(Exception):
    """The reference worker ended in the middle of a request; never the candidate's fault."""


@dataclass(frozen=True)
class PreparedCall:
    """A prepared call and the input buffers that go to the candidate; to be closed after."""

    reply: Prepared
    answered: Answered

    @property
    def descriptors(self) -> list[int]:
        """The input buffers."""
        return self.answered.message.descriptors

    def close(self) -> None:
        """Close the input buffers."""
        self.answered.message.close()


class Reference:
    """A reference worker that is there when asked.

    Args:
        pool: where reference workers come from.
    """

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._worker: WorkerProcess | None = None

    def prepare(self, task: Task, seed: int, ship: bool = True) -> PreparedCall:
        """Have inputs and right answer of one call made."""
        request = PrepareRequest(
            operator=task.operator.name, case=task.case, seed=seed, tolerance=task.tolerance, ship=ship
        )
        answered = self._ask(request)
        return PreparedCall(_expect(answered, Prepared), answered)

    def judge(
        self,
        task: Task,
        seed: int,
        left: Collected,
        descriptors: list[int],
        ship: bool,
        draw: Draw | None = None,
    ) -> Judged:
        """Have what a candidate left behind compared."""
        request = JudgeRequest(
            operator=task.operator.name,
            case=task.case,
            seed=seed,
            tolerance=task.tolerance,
            outputs=left.outputs,
            is_sequence=left.is_sequence,
            mutated=left.mutated,
            ship=ship,
            draw=draw,
        )
        return self._reply(request, Judged, descriptors)

    def baseline(self, task: Task, seed: int) -> Measured:
        """Have the native implementation timed once."""
        return self._reply(BaselineRequest(operator=task.operator.name, case=task.case, seed=seed), Measured)

    def null(self) -> Measured:
        """Have an empty region timed once."""
        return self._reply(NullRequest(), Measured)

    def healthy(self) -> bool:
        """True when the device computes."""
        return self._reply(HealthRequest(), HealthReport).usable

    def close(self) -> None:
        """End the worker."""
        if self._worker:
            self._worker.kill()
            self._worker = None

    def _reply(self, request: BaseModel, kind: type[R], descriptors: list[int] | None = None) -> R:
        answered = self._ask(request, descriptors)
        answered.message.close()
        return _expect(answered, kind)

    def _ask(self, request: BaseModel, descriptors: list[int] | None = None) -> Answered:
        try:
            if self._worker is None:
                self._worker = self._pool.take()
                self._worker.wait_ready()
            return self._worker.ask(request, SECONDS, descriptors)
        except WorkerGone as gone:
            words = self._worker.last_words if self._worker else ""
            self.close()
            raise ReferenceGone(f"the reference worker ended: {gone.detail}. {words}") from gone


def _expect(answered: Answered, kind: type[R]) -> R:
    if not isinstance(answered.reply, kind):
        raise ReferenceGone(f"the reference worker answered {answered.reply.kind}, want {kind.__name__}")
    return answered.reply
