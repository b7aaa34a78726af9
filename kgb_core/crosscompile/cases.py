"""Which cases stand for an operator when only types matter: one for each combination of dtypes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgb_core.crosscompile.protocol import Call
from kgb_core.models.case import Case, DTypeArgument, Purpose, TensorListSpec, TensorSpec, Tier
from kgb_core.models.device import Capabilities
from kgb_core.operators.binding import Bound
from kgb_core.operators.spec import Operator


def calls_of(operator: Operator) -> tuple[Call, ...]:
    """The first smoke case of each combination of dtypes, one that isn't empty where there is one."""
    chosen: dict[tuple[str, ...], Case] = {}
    for case in sorted(operator.selected(Purpose.CHECK, Tier.SMOKE), key=_is_empty):
        chosen.setdefault(_dtypes(case), case)
    return tuple(Call(case=case, positional=_positional(operator, case)) for case in chosen.values())


@dataclass(frozen=True)
class Usable:
    """What a target's chips can do of some calls.

    Attributes:
        calls: those.
        left_out: why others are not made, each reason once.
    """

    calls: tuple[Call, ...]
    left_out: tuple[str, ...]


def usable(calls: Iterable[Call], capabilities: Capabilities) -> Usable:
    """Leave out the calls with dtypes that a target declares unsupported."""
    kept: list[Call] = []
    reasons: dict[str, None] = {}
    for call in calls:
        refusal = capabilities.refusal(call.case.dtypes())
        if refusal:
            reasons[refusal] = None
        else:
            kept.append(call)
    return Usable(tuple(kept), tuple(reasons))


def _is_empty(case: Case) -> bool:
    return any(tensor.numel == 0 for tensor in case.tensors())


def _dtypes(case: Case) -> tuple[str, ...]:
    """Each argument's dtypes in turn; a list counts by its different ones, whatever its length."""
    found: list[str] = []
    for named in case.arguments:
        argument = named.argument
        if isinstance(argument, TensorSpec | DTypeArgument):
            found.append(f"{named.name}={argument.dtype}")
        elif isinstance(argument, TensorListSpec):
            found.append(f"{named.name}={sorted({str(item.dtype) for item in argument.tensors})}")
    return tuple(found)


def _positional(operator: Operator, case: Case) -> int:
    names = {named.name: None for named in case.arguments}
    return len(Bound(operator.signature, dict(names)).positional)
