"""The signature of an operator's entry function, as a person writes it."""

from __future__ import annotations

import inspect

from kgb_core.operators.spec import Operator


def signature_of(operator: Operator) -> str:
    """The entry function with its parameters, annotations without quotes."""
    signature = operator.signature
    parameters = [
        parameter.replace(annotation=_Bare(parameter.annotation))
        if parameter.annotation != parameter.empty
        else parameter
        for parameter in signature.parameters.values()
    ]
    returned = signature.return_annotation
    bare = signature.replace(
        parameters=parameters,
        return_annotation=returned if returned is inspect.Signature.empty else _Bare(returned),
    )
    return f"{operator.entry}{bare}"


class _Bare(str):
    """An annotation that `inspect` writes without quotes."""

    def __repr__(self) -> str:
        return str(self)
