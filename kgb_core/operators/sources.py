"""The source text that decides what a function does: its own, and that of the helpers it calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType

_CONSTANTS = (bool, int, float, str, tuple)


def text_of(function: Callable[..., object] | None) -> str:
    """The source of a function with all that it calls in its own distribution and the constants it reads.

    A function of another distribution is known by the version of that distribution. One that has no source,
    as a built-in, is its name.
    """
    if function is None:
        return ""
    if not inspect.isfunction(function):
        return str(getattr(function, "__qualname__", type(function).__qualname__))
    return "\n".join(_texts(function, set()))


def _texts(function: FunctionType, seen: set[FunctionType]) -> Iterator[str]:
    if function in seen:
        return
    seen.add(function)
    yield inspect.getsource(function)
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and _package(value) == _package(function):
            yield from _texts(value, seen)
        elif isinstance(value, _CONSTANTS):
            yield f"{name} = {value!r}"


def _names(code: CodeType) -> set[str]:
    """Global names that a function reads, its inner functions included."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _package(function: FunctionType) -> str:
    return function.__module__.split(".")[0]
