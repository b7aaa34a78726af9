"""A candidate in the dock: one outcome for each task, whatever becomes of its workers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kgb_core.judge.candidate import CandidateJudge, Patience
from kgb_core.judge.check import Outcome, Task
from kgb_core.judge.witness import ReferenceGone
from kgb_core.models.candidate import Candidate
from kgb_core.models.verdict import Verdict
from kgb_core.worker.channel import Message
from kgb_core.worker.handle import WorkerGone
from kgb_core.worker.protocol import Failed, Loaded, LoadRequest, Stage

PASSED = Outcome(Verdict.PASSED)
KILLED = WorkerGone("exit", "signal SIGKILL")
Step = Outcome | Exception


@dataclass
class Worker:
    """A worker that answers as told.

    Attributes:
        scratch: where the candidate is written.
        loads: its answer to the load request.
        comes_up: False for one that ends before it is ready.
    """

    scratch: Path
    loads: Loaded | Failed | WorkerGone = field(default_factory=Loaded)
    comes_up: bool = True
    output: str = "printed"
    last_words: str = "ImportError: no torch"
    busy_seconds: float = 0.0
    killed: int = 0
    requests: list[LoadRequest] = field(default_factory=list)

    def wait_ready(self) -> None:
        if not self.comes_up:
            raise WorkerGone("exit", "exit code 3")

    def ask(self, request: LoadRequest, timeout: float) -> Any:
        self.requests.append(request)
        if isinstance(self.loads, WorkerGone):
            raise self.loads
        return _Answer(self.loads)

    def kill(self) -> None:
        self.killed += 1


@dataclass(frozen=True)
class _Answer:
    reply: Loaded | Failed
    message: Message = Message(b"", [])  # noqa: RUF009


@dataclass
class Dock:
    """A candidate's judge with workers and verdicts that are scripted.

    Attributes:
        directory: of the scratch directories.
        steps: what comes of each case that reaches a worker.
        spends: seconds that each case takes of its worker.
        worker: fields of every worker.
    """

    directory: Path
    steps: list[Step]
    spends: float = 0.0
    worker: dict[str, Any] = field(default_factory=dict)
    taken: list[Worker] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)

    def take(self) -> Worker:
        scratch = self.directory / f"worker-{len(self.taken)}"
        scratch.mkdir()
        self.taken.append(Worker(scratch, **self.worker))
        return self.taken[-1]

    def judge(self, task: Task, worker: Any, reference: Any, seconds: float) -> Outcome:
        self.limits.append(seconds)
        worker.busy_seconds += self.spends
        step = self.steps[len(self.limits) - 1]
        if isinstance(step, Exception):
            raise step
        return step

    def judge_of(
        self, candidate: Candidate, seconds: float = 60.0, translate: bool = False
    ) -> CandidateJudge:
        pool: Any = self
        reference: Any = object()
        return CandidateJudge(
            candidate, "scale", pool, reference, Patience(seconds), translate, judge=self.judge
        )


@pytest.fixture
def candidate(make_candidate: Callable[..., Candidate]) -> Candidate:
    return make_candidate("def scale(self):\n    return 'é'\n", "law::scale")


@pytest.fixture
def run(tmp_path: Path, task: Task, candidate: Candidate) -> Callable[..., tuple[Dock, list[Outcome]]]:
    """Judge as many tasks as there are steps, or `count`."""

    def judged(*steps: Step, count: int = 0, **options: Any) -> tuple[Dock, list[Outcome]]:
        seconds = options.pop("seconds", 60.0)
        dock = Dock(tmp_path, list(steps), **options)
        tasks = [task] * (count or len(steps))
        return dock, list(dock.judge_of(candidate, seconds).outcomes(tasks))

    return judged


Run = Callable[..., tuple[Dock, list[Outcome]]]


def verdicts(outcomes: list[Outcome]) -> list[Verdict]:
    return [outcome.verdict for outcome in outcomes]


def test_one_worker_serves_all_cases_and_is_killed(run: Run) -> None:
    dock, outcomes = run(PASSED, Outcome(Verdict.WRONG_VALUE, "got 1"), PASSED)
    assert verdicts(outcomes) == [Verdict.PASSED, Verdict.WRONG_VALUE, Verdict.PASSED]
    (worker,) = dock.taken
    assert worker.killed == 1


def test_the_source_is_written_as_it_is(tmp_path: Path, task: Task, candidate: Candidate) -> None:
    dock = Dock(tmp_path, [PASSED])
    assert list(dock.judge_of(candidate, translate=True).outcomes([task]))
    (request,) = dock.taken[0].requests
    assert Path(request.path) == dock.taken[0].scratch / "law__scale.py"
    assert Path(request.path).read_text(encoding="utf-8") == candidate.source
    assert (request.entry, request.translate) == ("scale", True)


def test_a_death_costs_one_case_and_one_worker(run: Run) -> None:
    dock, outcomes = run(PASSED, KILLED, PASSED)
    assert verdicts(outcomes) == [Verdict.PASSED, Verdict.CRASHED, Verdict.PASSED]
    assert [worker.killed for worker in dock.taken] == [1, 1]
    assert (outcomes[1].message, outcomes[1].evidence.exit) == ("signal SIGKILL", "signal SIGKILL")


@pytest.mark.parametrize(
    ("gone", "verdict"),
    [
        (WorkerGone("timeout", "no reply in 20 s"), Verdict.TIMEOUT),
        (WorkerGone("violation", "an unasked message"), Verdict.TAMPERING),
        (KILLED, Verdict.CRASHED),
    ],
    ids=["timeout", "violation", "exit"],
)
def test_after_three_deaths_the_rest_shares_the_verdict(run: Run, gone: WorkerGone, verdict: Verdict) -> None:
    dock, outcomes = run(gone, gone, gone, count=6)
    assert verdicts(outcomes) == [verdict] * 6
    assert len(dock.taken) == 3
    assert outcomes[3].message.startswith("not run: 3 earlier cases ended the worker")


@pytest.mark.parametrize(
    ("stage", "verdict"),
    [
        (Stage.IMPORT, Verdict.IMPORT_ERROR),
        (Stage.ENTRY, Verdict.NO_ENTRY),
    ],
)
def test_what_does_not_load_fails_every_case_once(run: Run, stage: Stage, verdict: Verdict) -> None:
    failed = Failed(
        stage=stage,
        type="ValueError",
        bases=(),
        message="no",
        traceback="File x",
        declined=False,
        in_compiler=False,
    )
    dock, outcomes = run(count=4, worker={"loads": failed})
    assert verdicts(outcomes) == [verdict] * 4
    assert len(dock.taken) == 1
    assert {outcome.evidence.traceback for outcome in outcomes} == {"File x"}


def test_a_death_at_import_is_the_verdict_of_every_case(run: Run) -> None:
    dock, outcomes = run(count=5, worker={"loads": WorkerGone("exit", "exit code 0")})
    assert verdicts(outcomes) == [Verdict.CRASHED] * 5
    assert outcomes[0].message == "at import: exit code 0"
    assert len(dock.taken) == 1
    assert [worker.killed for worker in dock.taken] == [1]


def test_when_the_time_is_used_up_the_rest_is_not_run(run: Run) -> None:
    dock, outcomes = run(PASSED, PASSED, count=4, seconds=10.0, spends=5.0)
    assert verdicts(outcomes) == [Verdict.PASSED, Verdict.PASSED, Verdict.TIMEOUT, Verdict.TIMEOUT]
    assert outcomes[2].message == "the candidate's 10 s are used up"
    assert len(dock.limits) == 2


def test_the_time_of_dead_workers_counts(run: Run) -> None:
    _, outcomes = run(KILLED, KILLED, count=4, seconds=10.0, spends=5.0)
    assert verdicts(outcomes) == [Verdict.CRASHED, Verdict.CRASHED, Verdict.TIMEOUT, Verdict.TIMEOUT]


def test_one_call_may_take_a_third_and_never_more_than_is_left(run: Run) -> None:
    dock, _ = run(PASSED, PASSED, PASSED, seconds=9.0, spends=3.5)
    assert dock.limits == [3.0, 3.0, 2.0]


def test_the_end_of_the_reference_worker_is_nobodys_fault(run: Run) -> None:
    _, outcomes = run(ReferenceGone("the reference worker ended: signal SIGKILL"), PASSED)
    assert verdicts(outcomes) == [Verdict.HARNESS_ERROR, Verdict.PASSED]
    assert not outcomes[0].verdict.counts


def test_a_worker_that_does_not_come_up_is_not_the_candidates_fault(run: Run) -> None:
    dock, outcomes = run(count=3, worker={"comes_up": False})
    assert verdicts(outcomes) == [Verdict.HARNESS_ERROR] * 3
    assert outcomes[0].message == "no worker came up: exit code 3. ImportError: no torch"
    assert len(dock.taken) == 1, "the next would fail alike"


def test_a_device_fault_ends_the_worker(run: Run) -> None:
    dock, outcomes = run(Outcome(Verdict.DEVICE_FAULT, "illegal memory access"), PASSED)
    assert verdicts(outcomes) == [Verdict.DEVICE_FAULT, Verdict.PASSED]
    assert len(dock.taken) == 2


def test_what_was_printed_is_evidence_where_it_failed(run: Run) -> None:
    _, outcomes = run(PASSED, Outcome(Verdict.WRONG_VALUE), KILLED)
    assert [outcome.evidence.output for outcome in outcomes] == ["", "printed", "printed"]


def test_a_judge_that_is_left_early_kills_its_worker(
    tmp_path: Path, task: Task, candidate: Candidate
) -> None:
    dock = Dock(tmp_path, [PASSED, PASSED])
    outcomes = dock.judge_of(candidate).outcomes([task, task])
    assert list(itertools.islice(outcomes, 1)) == [PASSED]
    outcomes.close()  # type: ignore[attr-defined]
    assert dock.taken[0].killed == 1


def test_only_its_own_deaths_are_crashes(tmp_path: Path, task: Task, candidate: Candidate) -> None:
    for step, crashed in ((PASSED, False), (ReferenceGone("x"), False), (KILLED, True)):
        directory = tmp_path / repr(step)[:9]
        directory.mkdir()
        judge = Dock(directory, [step]).judge_of(candidate)
        assert list(judge.outcomes([task]))
        assert judge.crashed == crashed
