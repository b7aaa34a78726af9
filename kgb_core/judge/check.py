"""Judging one check case: prepare, call, collect, compare, twice, with new contents or the same again."""

from __future__ import annotations

from dataclasses import dataclass, field

from kgb_core.judge import policy
from kgb_core.judge.calls import calls_of
from kgb_core.judge.evidence import Trail
from kgb_core.judge.witness import Reference
from kgb_core.models.case import Case
from kgb_core.models.draw import Draw
from kgb_core.models.record import Errors, Evidence
from kgb_core.models.timing import Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.seeds import seed_of
from kgb_core.operators.spec import Operator
from kgb_core.worker.handle import WorkerProcess
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    CollectRequest,
    Failed,
    Judged,
    Prepared,
)


@dataclass(frozen=True)
class Outcome:
    """What became of one case, before it is a record."""

    verdict: Verdict
    message: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    errors: Errors | None = None
    timing: Timing | None = None


@dataclass(frozen=True)
class Task:
    """One case of one candidate, and the secret seed that everything random about it comes from."""

    uid: str
    """Of the planned case."""
    operator: Operator
    case: Case
    tolerance: Tolerance
    seed: int

    def call_seed(self, index: int | str) -> int:
        """The seed of the contents of one call; the same for every candidate of the run."""
        return seed_of(self.seed, self.operator.name, self.case.id, index)


def check_case(task: Task, worker: WorkerProcess, reference: Reference, seconds: float) -> Outcome:
    """Judge one case.

    Args:
        task: what to judge.
        worker: a worker that has loaded the candidate.
        reference: the reference worker's end.
        seconds: limit for each call of the candidate.

    Raises:
        WorkerGone: the candidate's worker ended.
        ReferenceGone: the reference worker ended.
    """
    trail = Trail()
    for call in calls_of(task.operator, task.call_seed(0), task.call_seed(1)):
        prepared = reference.prepare(task, call.seed)
        unfit = unfit_case(prepared.reply)
        if unfit:
            return unfit
        request = call.request(task.operator, prepared.reply)
        outcome = judge_call(
            task, worker, reference, prepared.descriptors, request, call.seed, seconds, trail, call.draw
        )
        prepared.close()
        if outcome.verdict is not Verdict.PASSED:
            return _repeated(outcome) if call.repeats else outcome
    return concluded(task, trail, prepared.reply.numel)


def judge_call(
    task: Task,
    worker: WorkerProcess,
    reference: Reference,
    descriptors: list[int],
    request: CallRequest,
    seed: int,
    seconds: float,
    trail: Trail,
    draw: Draw | None = None,
) -> Outcome:
    """Make one call and compare what it left behind; what was observed is added to the trail."""
    reply = _asked(worker, request, seconds, descriptors)
    if isinstance(reply, Failed):
        return failed_outcome(reply, trail)
    trail.add(reply.observations, task.operator)
    if trail.mutated or trail.guards:
        return Outcome(Verdict.WRONG_ALIAS, trail.trespass(), trail.evidence())
    return collected_outcome(task, worker, reference, seed, seconds, trail, request.case is None, draw)


def collected_outcome(
    task: Task,
    worker: WorkerProcess,
    reference: Reference,
    seed: int,
    seconds: float,
    trail: Trail,
    ship: bool,
    draw: Draw | None = None,
) -> Outcome:
    """Fetch what the last call left behind and have it compared."""
    answered = worker.ask(CollectRequest(), seconds)
    try:
        if isinstance(answered.reply, Failed):
            return failed_outcome(answered.reply, trail)
        assert isinstance(answered.reply, Collected)
        trail.collected(answered.reply, task.operator)
        judged = reference.judge(task, seed, answered.reply, answered.message.descriptors, ship, draw)
    finally:
        answered.message.close()
    return _judged_outcome(judged, trail)


def concluded(task: Task, trail: Trail, numel: int) -> Outcome:
    """The verdict of a case whose every call gave the right answer: was it the candidate's own work?"""
    evidence = trail.evidence()
    if not numel:
        return Outcome(Verdict.PASSED, "", evidence, trail.errors)
    if evidence.foreign:
        names = ", ".join(evidence.foreign[:3])
        return Outcome(Verdict.FALLBACK, f"right, but {names} did the work", evidence, trail.errors)
    if task.operator.kind.needs_launch and not evidence.launches and not trail.passed_on:
        return Outcome(Verdict.FALLBACK, "right, but no Triton kernel was launched", evidence, trail.errors)
    return Outcome(Verdict.PASSED, "", evidence, trail.errors)


def unfit_case(prepared: Prepared) -> Outcome | None:
    """The outcome of a case that nobody can be judged by; `None` for a good one."""
    if prepared.native_error:
        return Outcome(Verdict.UNSUPPORTED, f"the native operator can't: {prepared.native_error}")
    if prepared.invalid:
        return Outcome(Verdict.INVALID_CASE, prepared.invalid)
    return None


def failed_outcome(failed: Failed, trail: Trail) -> Outcome:
    """The outcome of a call that raised."""
    evidence = trail.evidence().model_copy(update={"traceback": failed.traceback})
    return Outcome(policy.verdict_of_failure(failed), policy.message_of_failure(failed), evidence)


def _asked(
    worker: WorkerProcess, request: CallRequest, seconds: float, descriptors: list[int]
) -> Called | Failed:
    answered = worker.ask(request, seconds, descriptors)
    answered.message.close()
    assert isinstance(answered.reply, (Called, Failed))
    return answered.reply


def _judged_outcome(judged: Judged, trail: Trail) -> Outcome:
    trail.compared(judged.errors)
    return Outcome(judged.verdict, judged.message, trail.evidence(), judged.errors)


def _repeated(outcome: Outcome) -> Outcome:
    if outcome.verdict is not Verdict.WRONG_VALUE:
        return outcome
    message = f"right at first, then on the same inputs {outcome.message}"
    return Outcome(Verdict.NONDETERMINISTIC, message, outcome.evidence, outcome.errors)
