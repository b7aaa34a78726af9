"""Judging one candidate on one device: a fresh worker, its cases one after another, one outcome for each.

Whatever a candidate does to its worker ends that worker only. The case at hand gets the verdict, the next
case
gets another worker, until the candidate's time or its deaths are used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from kgb_core.judge import policy
from kgb_core.judge.check import Outcome, Task, check_case
from kgb_core.judge.witness import Reference, ReferenceGone
from kgb_core.models.candidate import Candidate
from kgb_core.models.record import Evidence
from kgb_core.models.verdict import Verdict
from kgb_core.worker.handle import WorkerGone, WorkerProcess
from kgb_core.worker.pool import WorkerPool
from kgb_core.worker.protocol import Failed, Loaded, LoadRequest

_DEATHS = 3
"""Workers that one candidate may end before the rest of its cases share the verdict."""
_CALL_SHARE = 3
"""One call may take this fraction of the candidate's time."""
_OUTPUT_SHOWN = 2000

Judge = Callable[[Task, WorkerProcess, Reference, float], Outcome]
"""Judges one case with a loaded worker: `check_case`, or the timed one."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Patience:
    """How long a candidate may take: `seconds` in all of its workers, and one call a third of that."""

    seconds: float

    @property
    def call_seconds(self) -> float:
        """The limit of one call."""
        return self.seconds / _CALL_SHARE


class CandidateJudge:
    """One candidate in the dock.

    Args:
        candidate: whose source is run.
        entry: the function that it must define.
        pool: where its workers come from.
        reference: the reference worker's end.
        patience: time limits.
        translate: rewrite other devices' names in its source.
        judge: what judges one case.
    """

    def __init__(
        self,
        candidate: Candidate,
        entry: str,
        pool: WorkerPool,
        reference: Reference,
        patience: Patience,
        translate: bool,
        judge: Judge = check_case,
    ) -> None:
        self._candidate = candidate
        self._entry = entry
        self._pool = pool
        self._reference = reference
        self._patience = patience
        self._translate = translate
        self._judge = judge
        self._worker: WorkerProcess | None = None
        self._final: Outcome | None = None
        self._deaths = 0
        self._spent = 0.0

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """The outcome of each task, in order; always as many as tasks."""
        try:
            for task in tasks:
                yield self._final or self._outcome(task)
        finally:
            self._end_worker()

    @property
    def crashed(self) -> bool:
        """True when a worker of this candidate has ended by itself."""
        return self._deaths > 0

    def _outcome(self, task: Task) -> Outcome:
        if self._remaining() <= 0:
            self._final = Outcome(
                Verdict.TIMEOUT, f"the candidate's {self._patience.seconds:.0f} s are used up"
            )
            return self._final
        try:
            return self._loaded_outcome(task)
        except ReferenceGone as gone:
            return Outcome(Verdict.HARNESS_ERROR, str(gone))
        except WorkerGone as gone:
            return self._died(gone)

    def _loaded_outcome(self, task: Task) -> Outcome:
        if self._worker is None:
            refused = self._load()
            if refused:
                self._final = refused
                return refused
        assert self._worker is not None
        outcome = self._judge(task, self._worker, self._reference, self._call_seconds())
        if outcome.verdict is Verdict.DEVICE_FAULT:
            self._end_worker()
        return self._with_output(outcome)

    def _load(self) -> Outcome | None:
        self._worker = self._pool.take()
        self._wait_ready(self._worker)
        path = self._worker.scratch / f"{self._candidate.operator.replace('::', '__')}.py"
        path.write_text(self._candidate.source, encoding="utf-8")
        request = LoadRequest(path=str(path), entry=self._entry, translate=self._translate)
        try:
            answered = self._worker.ask(request, self._call_seconds())
        except WorkerGone as gone:
            return self._died(gone, "at import: ")
        answered.message.close()
        if isinstance(answered.reply, Loaded):
            return None
        assert isinstance(answered.reply, Failed)
        evidence = Evidence(traceback=answered.reply.traceback)
        verdict = policy.verdict_of_failure(answered.reply)
        return self._with_output(Outcome(verdict, policy.message_of_failure(answered.reply), evidence))

    def _wait_ready(self, worker: WorkerProcess) -> None:
        try:
            worker.wait_ready()
        except WorkerGone as gone:
            words = worker.last_words
            self._end_worker()
            self._final = Outcome(Verdict.HARNESS_ERROR, f"no worker came up: {gone.detail}. {words}")
            raise ReferenceGone(self._final.message) from gone

    def _died(self, gone: WorkerGone, when: str = "") -> Outcome:
        self._deaths += 1
        verdict = policy.verdict_of_end(gone)
        log.info("worker ended", candidate=self._candidate.name, detail=gone.detail)
        outcome = Outcome(verdict, f"{when}{gone.detail}", Evidence(exit=gone.detail))
        outcome = self._with_output(outcome)
        self._end_worker()
        if self._deaths >= _DEATHS:
            self._final = Outcome(
                verdict, f"not run: {self._deaths} earlier cases ended the worker ({gone.detail})"
            )
        return outcome

    def _with_output(self, outcome: Outcome) -> Outcome:
        output = self._worker.output[:_OUTPUT_SHOWN] if self._worker else ""
        if outcome.verdict is Verdict.PASSED or not output:
            return outcome
        evidence = outcome.evidence.model_copy(update={"output": output})
        return Outcome(outcome.verdict, outcome.message, evidence, outcome.errors, outcome.timing)

    def _remaining(self) -> float:
        running = self._worker.busy_seconds if self._worker else 0.0
        return self._patience.seconds - self._spent - running

    def _call_seconds(self) -> float:
        return max(0.1, min(self._patience.call_seconds, self._remaining()))

    def _end_worker(self) -> None:
        if self._worker:
            self._spent += self._worker.busy_seconds
            self._worker.kill()
            self._worker = None
