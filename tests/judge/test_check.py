"""One check case: which calls are made, what is asked of them, and what their answers amount to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from kgb_core.judge.check import Outcome, Task, check_case
from kgb_core.models.record import Errors
from kgb_core.models.verdict import Verdict
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Operator
from kgb_core.worker.protocol import Called, Collected, Failed, Judged, OutputValue, PlainValue, Stage

if TYPE_CHECKING:
    from conftest import Script

    Scripts = Callable[..., Script]

Calls = Callable[..., Called]


def outcome_of(task: Task, script: Script) -> Outcome:
    """The outcome of a case whose workers play a script."""
    played: Any = script
    found = check_case(task, played, played, seconds=1.0)
    assert script.open == 0, "the buffers of every prepared call are closed"
    return found


def failed(stage: Stage = Stage.CALL, **fields: Any) -> Failed:
    values: dict[str, Any] = {
        "type": "ValueError",
        "bases": (),
        "message": "no",
        "traceback": "File a.py, line 3",
        "declined": False,
        "in_compiler": False,
        **fields,
    }
    return Failed(stage=stage, **values)


def errors(scale: float) -> Errors:
    return Errors(max_abs=scale, max_rel=0, max_ulp=0, rms=0, scale=scale)


def test_a_case_is_two_calls_each_checked(task: Task, script_of: Scripts) -> None:
    script = script_of()
    found = outcome_of(task, script)
    assert (found.verdict, found.message) == (Verdict.PASSED, "")
    assert script.log == ["prepare", "call", "collect", "judge"] * 2
    assert found.evidence.calls == 2


def test_the_first_call_is_watched_and_the_second_sometimes(task: Task, script_of: Scripts) -> None:
    seen = set()
    for _ in range(60):
        script = script_of()
        outcome_of(task, script)
        seen.add(tuple(call.audit for call in script.calls))
        assert [call.reuse for call in script.calls] == [False, True]
        assert script.calls[0].poison != script.calls[1].poison
    assert seen == {(True, True), (True, False)}


def test_the_second_call_has_new_contents_most_times(task: Task, script_of: Scripts) -> None:
    repeats = 0
    for _ in range(80):
        script = script_of()
        outcome_of(task, script)
        repeats += script.seeds[0] == script.seeds[1]
    assert 5 <= repeats <= 40


def test_every_candidate_gets_the_same_contents(task: Task, script_of: Scripts) -> None:
    seeds = set()
    for _ in range(30):
        script = script_of()
        outcome_of(task, script)
        seeds.update(script.seeds)
    assert len(seeds) == 2


def test_right_then_wrong_on_the_same_inputs_is_another_verdict(task: Task, script_of: Scripts) -> None:
    seen = set()
    for _ in range(80):
        script = script_of(
            judged=lambda n: Judged(verdict=[Verdict.PASSED, Verdict.WRONG_VALUE][n], message="got 1, want 2")
        )
        found = outcome_of(task, script)
        same = script.seeds[0] == script.seeds[1]
        assert found.verdict is (Verdict.NONDETERMINISTIC if same else Verdict.WRONG_VALUE)
        assert "got 1, want 2" in found.message
        seen.add(same)
    assert seen == {True, False}


def test_a_wrong_first_call_ends_the_case(task: Task, script_of: Scripts) -> None:
    script = script_of(judged=lambda n: Judged(verdict=Verdict.WRONG_SHAPE, message="got (2,)"))
    found = outcome_of(task, script)
    assert (found.verdict, found.message) == (Verdict.WRONG_SHAPE, "got (2,)")
    assert script.log.count("call") == 1


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        ({"mutated": ("other",)}, "changed its input other"),
        ({"guards": ("allocation 0 (3,)", "input 1")}, "wrote outside allocation 0 (3,), input 1"),
        ({"mutated": ("x",), "guards": ("y",)}, "changed its input x; wrote outside y"),
    ],
    ids=["mutated", "guards", "both"],
)
def test_memory_that_must_not_change_comes_before_values(
    task: Task, script_of: Scripts, called: Calls, seen: dict[str, Any], message: str
) -> None:
    script = script_of(called=lambda n: called(**seen))
    found = outcome_of(task, script)
    assert (found.verdict, found.message) == (Verdict.WRONG_ALIAS, message)
    assert "judge" not in script.log


def test_right_by_a_native_operator_is_a_fallback(task: Task, script_of: Scripts, called: Calls) -> None:
    script = script_of(called=lambda n: called(aten={"aten::_softmax": 1, "aten::empty_like": 2}))
    found = outcome_of(task, script)
    assert found.verdict is Verdict.FALLBACK
    assert found.message == "right, but aten::_softmax did the work"
    assert found.evidence.foreign == ("aten::_softmax",)


def test_wrong_by_a_native_operator_is_wrong(task: Task, script_of: Scripts, called: Calls) -> None:
    script = script_of(
        called=lambda n: called(aten={"aten::_softmax": 1}),
        judged=lambda n: Judged(verdict=Verdict.WRONG_VALUE),
    )
    assert outcome_of(task, script).verdict in (Verdict.WRONG_VALUE, Verdict.NONDETERMINISTIC)


def test_right_without_a_launch_is_a_fallback(task: Task, script_of: Scripts, called: Calls) -> None:
    found = outcome_of(task, script_of(called=lambda n: called(launches=0, kernels=())))
    assert (found.verdict, found.message) == (Verdict.FALLBACK, "right, but no Triton kernel was launched")


@pytest.mark.parametrize(
    ("aliases", "mutates", "verdict"),
    [
        (["self"], (), Verdict.PASSED),
        (["self", "self"], (), Verdict.PASSED),
        (["self", None], (), Verdict.FALLBACK),
        (["self"], ("self",), Verdict.FALLBACK),
    ],
    ids=["self", "two views", "one made", "in place"],
)
def test_an_argument_handed_back_needs_no_launch(
    task: Task,
    script_of: Scripts,
    called: Calls,
    aliases: list[str | None],
    mutates: tuple[str, ...],
    verdict: Verdict,
) -> None:
    operator = Operator("law::contiguous", lambda self: self, Exact(), mutates=frozenset(mutates))
    other = Task("uid", operator, task.case, task.tolerance, 1)
    outputs = tuple(OutputValue(value=PlainValue(value=1), alias=alias) for alias in aliases)
    left = Collected(outputs=outputs, is_sequence=len(outputs) > 1, mutated=())
    script = script_of(called=lambda n: called(launches=0, kernels=()), collected=left)
    assert outcome_of(other, script).verdict is verdict


def test_an_empty_answer_needs_no_launch(task: Task, script_of: Scripts, called: Calls) -> None:
    script = script_of(called=lambda n: called(launches=0, kernels=()))
    script.prepared = script.prepared.model_copy(update={"numel": 0})
    assert outcome_of(task, script).verdict is Verdict.PASSED


@pytest.mark.parametrize("kind", [Kind.VIEW, Kind.HOST_READ, Kind.UNINITIALISED])
def test_what_needs_no_launch_passes_without(
    task: Task, script_of: Scripts, called: Calls, kind: Kind
) -> None:
    other = Task(
        "uid", Operator("law::t", lambda self: self, Exact(), kind=kind), task.case, task.tolerance, 1
    )
    script = script_of(called=lambda n: called(launches=0, kernels=()))
    assert outcome_of(other, script).verdict is Verdict.PASSED


def test_a_view_is_told_from_a_copy(task: Task, script_of: Scripts) -> None:
    view = Task(
        "uid", Operator("law::t", lambda self: self, Exact(), kind=Kind.VIEW), task.case, task.tolerance, 1
    )
    output = OutputValue(value=PlainValue(value=1), alias="self")
    shared = script_of(collected=Collected(outputs=(output,), is_sequence=False, mutated=()))
    assert outcome_of(view, shared).evidence.view
    assert not outcome_of(view, script_of()).evidence.view


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"native_error": "RuntimeError: no"}, Verdict.UNSUPPORTED),
        ({"invalid": "the native implementation: got 1"}, Verdict.INVALID_CASE),
    ],
    ids=["unsupported", "invalid"],
)
def test_a_case_that_nobody_can_be_judged_by_is_not_run(
    task: Task, script_of: Scripts, changes: dict[str, str], verdict: Verdict
) -> None:
    script = script_of()
    script.prepared = script.prepared.model_copy(update=changes)
    found = check_case(task, script, script, 1.0)  # type: ignore[arg-type]
    assert found.verdict is verdict
    assert not verdict.counts
    assert script.log == ["prepare"]


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (failed(declined=True), Verdict.REFUSED),
        (failed(), Verdict.RUNTIME_ERROR),
        (failed(Stage.SIGNATURE), Verdict.BAD_SIGNATURE),
    ],
    ids=["declined", "raised", "signature"],
)
def test_a_call_that_fails(task: Task, script_of: Scripts, reply: Failed, verdict: Verdict) -> None:
    found = outcome_of(task, script_of(called=lambda n: reply))
    assert (found.verdict, found.message) == (verdict, "ValueError: no")
    assert found.evidence.traceback == "File a.py, line 3"


def test_an_output_that_can_not_be_read(task: Task, script_of: Scripts) -> None:
    found = outcome_of(task, script_of(collected=failed(Stage.OUTPUT)))
    assert found.verdict is Verdict.WRONG_STRUCTURE


def test_the_worst_errors_of_all_calls_are_kept(task: Task, script_of: Scripts) -> None:
    script = script_of(judged=lambda n: Judged(verdict=Verdict.PASSED, errors=errors([0.7, 0.2][n])))
    assert outcome_of(task, script).errors == errors(0.7)
