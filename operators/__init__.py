"""The operators of KGB's suites, one family a file; `operators()` is the entry point that lists them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from kgb_core.operators.spec import Operator
from kgb_operators.gaps import with_gaps
from kgb_operators.opinfo import Sampler, name_of
from kgb_operators.suites import suites_of


def operators() -> list[Operator]:
    """Every operator declared in this distribution."""
    from kgb_operators import aten

    found = list(_declared_in(aten))
    for operator in found:
        operator.tags |= suites_of(operator.name)
        operator.check(with_gaps(operator))
        name = name_of(operator.name)
        operator.sampler = Sampler(operator, name) if name else None
    return found


def _declared_in(package: ModuleType) -> Iterator[Operator]:
    for module in pkgutil.iter_modules(package.__path__):
        for value in vars(importlib.import_module(f"{package.__name__}.{module.name}")).values():
            if isinstance(value, Operator):
                yield value
