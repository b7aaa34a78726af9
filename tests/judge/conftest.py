"""Calls with their right answers, the shipped operators, and workers that answer as a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from pydantic import BaseModel

from kgb_core.judge.bounds import Bounds
from kgb_core.judge.check import Task
from kgb_core.judge.compare import Answer, AnswerTensor, Finding, judge_answer
from kgb_core.judge.golden import Expected, ExpectedTensor, cloned, expect
from kgb_core.judge.tolerance import default_tolerance
from kgb_core.models.device import Device
from kgb_core.models.draw import Draw
from kgb_core.models.timer import TimingMethod
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.registry import Registry, load_registry
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Operator
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.worker.channel import Message
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    CollectRequest,
    Failed,
    Judged,
    Measured,
    Observations,
    Prepared,
)


@dataclass(frozen=True)
class Trial:
    """One call and what is right for it.

    Attributes:
        operator: what is called.
        bound: with which arguments.
        expected: the right answer.
        bounds: how far from it an answer may be.
    """

    operator: Operator
    bound: Bound
    expected: Expected
    bounds: Bounds

    @property
    def want(self) -> ExpectedTensor:
        """The one output."""
        (output,) = self.expected.outputs
        assert isinstance(output, ExpectedTensor)
        return output

    @property
    def right(self) -> torch.Tensor:
        """The one output, rounded once."""
        return self.want.value.to(self.want.dtype)

    def called(self, function: Callable[..., Any]) -> Any:
        """What a function returns for copies of the arguments."""
        call = self.bound.replace(cloned(self.bound.values))
        return function(*call.args, **call.kwargs)

    def judge(
        self,
        *outputs: Any,
        alias: str | None = None,
        sequence: bool = False,
        mutated: dict[str, torch.Tensor] | None = None,
        allowed: float = 1.0,
    ) -> Finding:
        """The finding on an answer; tensors lie in memory as they do here."""
        made = [
            AnswerTensor(o, tuple(o.stride()), alias) if isinstance(o, torch.Tensor) else o for o in outputs
        ]
        answer = Answer(made, sequence, mutated or {})
        return judge_answer(self.operator, self.bound, self.expected, self.bounds, answer, allowed)


def make_trial(operator: Operator, tolerance: Tolerance | None = None, /, **values: Any) -> Trial:
    """Compute the right answer of a call."""
    bound = Bound(operator.signature, values)
    expected = expect(operator, bound)
    scales = tolerance or default_tolerance(operator.numeric)
    return Trial(operator, bound, expected, Bounds(operator, bound, expected, scales))


@dataclass
class Script:
    """A candidate's worker and the reference worker, both played; a test changes what they answer.

    Attributes:
        prepared: what the reference worker prepares.
        called: answers of the candidate's worker to calls, by the number of the call.
        judged: answers of the reference worker to what was left behind, likewise.
        collected: what the candidate's worker sends of its last call.
        device_ns: times by side.
        log: every request, in order: `prepare`, `call`, `collect`, `judge`, `baseline`, `null`.
        calls: the call requests.
        seeds: what the reference worker was to prepare.
        draws: what the calls that it judged were to show.
        open: prepared calls whose buffers are not closed.
    """

    prepared: Prepared
    called: Callable[[int], Called | Failed]
    judged: Callable[[int], Judged] = lambda n: Judged(verdict=Verdict.PASSED)
    collected: Collected | Failed = Collected(outputs=(), is_sequence=False, mutated=())  # noqa: RUF009
    device_ns: dict[str, int] = field(default_factory=lambda: {"baseline": 4000, "null": 10})
    log: list[str] = field(default_factory=list)
    calls: list[CallRequest] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    draws: list[Draw | None] = field(default_factory=list)
    open: int = 0

    # What WorkerProcess offers.

    def ask(self, request: BaseModel, timeout: float, descriptors: list[int] | None = None) -> Any:
        if isinstance(request, CallRequest):
            self.log.append("call")
            self.calls.append(request)
            return _Answer(self.called(len(self.calls) - 1))
        assert isinstance(request, CollectRequest)
        self.log.append("collect")
        return _Answer(self.collected)

    # What Reference offers.

    def prepare(self, task: Task, seed: int, ship: bool = True) -> Any:
        self.log.append("prepare")
        self.seeds.append(seed)
        self.open += 1
        return _Prepared(self.prepared, self)

    def judge(
        self,
        task: Task,
        seed: int,
        left: Collected,
        descriptors: list[int],
        ship: bool,
        draw: Draw | None = None,
    ) -> Judged:
        self.log.append("judge")
        self.draws.append(draw)
        return self.judged(self.log.count("judge") - 1)

    def baseline(self, task: Task, seed: int) -> Measured:
        return self._measured("baseline")

    def null(self) -> Measured:
        return self._measured("null")

    def _measured(self, side: str) -> Measured:
        self.log.append(side)
        nanoseconds = self.device_ns[side]
        return Measured(device_ns=nanoseconds, call_ns=nanoseconds, timer="t", method=TimingMethod.EVENTS)


@dataclass(frozen=True)
class _Answer:
    reply: BaseModel
    message: Message = Message(b"", [])  # noqa: RUF009


@dataclass
class _Prepared:
    reply: Prepared
    script: Script
    descriptors: tuple[int, ...] = ()

    def close(self) -> None:
        self.script.open -= 1


def make_script(**changes: Any) -> Script:
    """An honest candidate, played: a launch a call, 2000 ns."""
    fields: dict[str, Any] = {
        "prepared": Prepared(arguments=(), positional=1, bytes_read=4000, bytes_written=4000, numel=1000),
        "called": lambda n: make_called(),
        **changes,
    }
    return Script(**fields)


def make_called(device_ns: int = 2000, **seen: Any) -> Called:
    """A reply to a call; what was observed may be changed."""
    observations = Observations(**{"launches": 1, "kernels": ("k",), "aten": {"aten::empty_like": 1}, **seen})
    return Called(
        observations=observations,
        device_ns=device_ns,
        call_ns=device_ns + 500,
        timer="events",
        method=TimingMethod.EVENTS,
    )


@pytest.fixture(scope="session")
def script_of() -> Callable[..., Script]:
    return make_script


@pytest.fixture(scope="session")
def called() -> Callable[..., Called]:
    return make_called


@pytest.fixture(scope="session")
def task() -> Task:
    """A case of an operator that must launch a kernel."""

    def scale(self: Any) -> Any:
        """Twice each."""
        return self * 2

    made = Operator("law::scale", scale, Elementwise())
    return Task("uid", made, case("flat", self=normal((10, 100), dtype=fp32)), Tolerance(), seed=11)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Small tensors are slower on many threads, most of all where other tests use the cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def trial_of() -> Callable[..., Trial]:
    return make_trial


@pytest.fixture(scope="session")
def registry() -> Registry:
    return load_registry()


@pytest.fixture(scope="session")
def backend() -> Backend:
    return load_backends(["cpu"]).get("cpu")


@pytest.fixture(scope="session")
def device(backend: Backend) -> Device:
    return backend.discover_devices()[0]
