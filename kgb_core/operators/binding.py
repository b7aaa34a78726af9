"""From a case and drawn tensors to the call that is made: positional arguments, keywords, and names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kgb_core.errors import OperatorError
from kgb_core.models.case import Case
from kgb_core.operators.spec import Operator


@dataclass(frozen=True)
class Bound:
    """The arguments of one call by parameter name, in declared order; omitted parameters are absent."""

    signature: inspect.Signature
    values: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter, or its default where the case omits it."""
        if name in self.values:
            return self.values[name]
        return self.signature.parameters[name].default

    @property
    def positional(self) -> list[str]:
        """Names passed by position: those before the first omission or keyword-only parameter."""
        names: list[str] = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY or name not in self.values:
                break
            names.append(name)
        return names

    @property
    def args(self) -> list[Any]:
        """Values passed by position."""
        return [self.values[name] for name in self.positional]

    @property
    def kwargs(self) -> dict[str, Any]:
        """Values passed by name."""
        taken = set(self.positional)
        return {name: value for name, value in self.values.items() if name not in taken}

    def replace(self, values: dict[str, Any]) -> Bound:
        """The same call with other values."""
        return Bound(self.signature, values)

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """Every tensor with its path: `self`, `tensors[1]`."""
        from torch import Tensor

        for name, value in self.values.items():
            if isinstance(value, Tensor):
                yield name, value
            elif isinstance(value, list):
                yield from ((f"{name}[{i}]", v) for i, v in enumerate(value) if isinstance(v, Tensor))


def check_case(operator: Operator, case: Case) -> None:
    """Refuse a case whose arguments the operator's signature can't take.

    Raises:
        OperatorError: naming operator, case and the parameter.
    """
    given = {named.name: None for named in case.arguments}
    try:
        operator.signature.bind(**given)
    except TypeError as error:
        raise OperatorError(
            f"{operator.name}: case {case.label} does not fit its signature",
            str(error),
            f"the signature is {operator.entry}{operator.signature}",
        ) from error
    by_position = Bound(operator.signature, dict(given)).positional
    if list(given)[: len(by_position)] != by_position:
        raise OperatorError(
            f"{operator.name}: case {case.label} gives its arguments out of order",
            f"it has {', '.join(given)}",
            f"the signature is {operator.entry}{operator.signature}",
        )
