"""The calls of a case: seeds, what is watched, and what a random operator's generators are given."""

from __future__ import annotations

import pytest

from kgb_core.judge.calls import PlannedCall, calls_of
from kgb_core.models.draw import Draw
from kgb_core.operators.rules import Exact, Random
from kgb_core.operators.spec import Kind, Operator
from kgb_core.worker.protocol import CallRequest, GeneratorValue, NamedValue, Prepared


def sample(self: object, generator: object = None) -> object:
    """Draws."""
    return self


SAMPLER = Operator("law::sample", sample, Random(lambda call, output: 1.0), kind=Kind.RANDOM)
PLAIN = Operator("law::plain", sample, Exact())
GIVEN = (NamedValue(name="generator", value=GeneratorValue(seed=5)),)


def requests(arguments: tuple[NamedValue, ...] = ()) -> dict[Draw | None, CallRequest]:
    """The calls of a random case by what they are to show."""
    prepared = Prepared(arguments=arguments, positional=0)
    return {call.draw: call.request(SAMPLER, prepared) for call in calls_of(SAMPLER, 1, 2)}


def generator(request: CallRequest) -> GeneratorValue:
    (argument,) = request.arguments
    assert isinstance(argument.value, GeneratorValue)
    return argument.value


def test_an_ordinary_case_has_two_calls_and_a_random_one_four() -> None:
    assert [call.draw for call in calls_of(PLAIN, 1, 2)] == [None, None]
    assert [call.draw for call in calls_of(SAMPLER, 1, 2)] == list(Draw)
    assert {call.seed for call in calls_of(SAMPLER, 1, 2)} == {1}


def test_the_first_call_is_always_watched_and_others_by_surprise() -> None:
    plans = [calls_of(SAMPLER, 1, 2) for _ in range(60)]
    assert all(plan[0].audit for plan in plans)
    assert {call.draw for plan in plans for call in plan if call.audit} == set(Draw)
    assert any(not any(call.audit for call in plan[1:]) for plan in plans)


def test_a_given_generator_repeats_goes_on_or_is_another() -> None:
    sent = {draw: generator(request) for draw, request in requests(GIVEN).items()}
    assert sent[Draw.FIRST] == sent[Draw.AGAIN] == GeneratorValue(seed=5)
    assert sent[Draw.NEXT].goes_on
    assert sent[Draw.OTHER].seed != 5
    assert not sent[Draw.OTHER].goes_on


@pytest.mark.parametrize("arguments", [(), GIVEN], ids=["default", "given"])
def test_the_default_generator_stands_in_or_misleads(arguments: tuple[NamedValue, ...]) -> None:
    seeds = {draw: request.default_seed for draw, request in requests(arguments).items()}
    assert seeds[Draw.NEXT] is None
    assert (seeds[Draw.AGAIN] == seeds[Draw.FIRST]) is not bool(arguments)
    assert (seeds[Draw.OTHER] == seeds[Draw.FIRST]) is bool(arguments)


def test_unwritten_memory_is_different_in_every_call() -> None:
    assert len({request.poison for request in requests().values()}) == len(Draw)


def test_an_ordinary_call_leaves_its_arguments_alone() -> None:
    request = PlannedCall(1, audit=True, reuse=False).request(PLAIN, Prepared(arguments=GIVEN, positional=0))
    assert request.arguments == GIVEN
    assert request.default_seed is not None
