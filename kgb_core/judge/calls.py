"""The calls that a check case is judged by: secret until they are made."""

from __future__ import annotations

import random
from dataclasses import dataclass

from kgb_core.models.draw import Draw
from kgb_core.operators.seeds import seed_of
from kgb_core.operators.spec import Kind, Operator
from kgb_core.worker.protocol import CallRequest, GeneratorValue, NamedValue, Prepared

_REPEAT_SHARE = 0.25
"""How often the second call gets the contents of the first again."""


@dataclass(frozen=True)
class PlannedCall:
    """One call of a case.

    Attributes:
        seed: of its contents.
        audit: whether it is watched.
        reuse: whether its contents lie where those of the call before lay.
        repeats: it has the contents of the call before.
        draw: what it is to show, where the operator draws random numbers.
    """

    seed: int
    audit: bool
    reuse: bool
    repeats: bool = False
    draw: Draw | None = None

    def request(self, operator: Operator, prepared: Prepared) -> CallRequest:
        """The call, with the arguments that were prepared for its seed."""
        arguments = prepared.arguments
        if self.draw:
            arguments = tuple(_reseeded(argument, self.draw) for argument in arguments)
        given = any(isinstance(argument.value, GeneratorValue) for argument in arguments)
        return CallRequest(
            arguments=arguments,
            positional=prepared.positional,
            mutates=tuple(sorted(operator.mutates)),
            audit=self.audit,
            reuse=self.reuse,
            poison=seed_of(self.seed, "poison", int(self.audit), int(self.reuse), self.draw or ""),
            default_seed=self._default_seed(given),
        )

    def _default_seed(self, given: bool) -> int | None:
        """The seed of torch's own generators.

        They take the place of a generator that is not given. Beside one that is, they mislead whoever uses
        them all the same: another seed where the given one repeats, the same where the given one is another.
        """
        if self.draw is Draw.NEXT:
            return None
        as_first = self.draw is not (Draw.AGAIN if given else Draw.OTHER)
        return seed_of(self.seed, "default", "first" if as_first else "other")


def calls_of(operator: Operator, first: int, second: int) -> tuple[PlannedCall, ...]:
    """The calls of a case.

    The first is always watched, since a guard then catches what would corrupt the worker; another one as a
    surprise.

    Args:
        operator: what is called.
        first: seed of the contents of the first call, and of all calls of a random operator.
        second: seed of other contents.
    """
    secret = random.SystemRandom()
    if operator.kind is Kind.RANDOM:
        watched = {Draw.FIRST, secret.choice(list(Draw))}
        return tuple(PlannedCall(first, draw in watched, draw is not Draw.FIRST, draw=draw) for draw in Draw)
    repeats = secret.random() < _REPEAT_SHARE
    audit = bool(secret.randrange(2))
    again = PlannedCall(first if repeats else second, audit, reuse=True, repeats=repeats)
    return (PlannedCall(first, audit=True, reuse=False), again)


def _reseeded(argument: NamedValue, draw: Draw) -> NamedValue:
    """The argument as a call needs it: a generator goes on, or has the seed that the call is about."""
    value = argument.value
    if not isinstance(value, GeneratorValue):
        return argument
    if draw is Draw.NEXT:
        return NamedValue(name=argument.name, value=value.model_copy(update={"goes_on": True}))
    seed = seed_of(value.seed, "other") if draw is Draw.OTHER else value.seed
    return NamedValue(name=argument.name, value=GeneratorValue(seed=seed))
