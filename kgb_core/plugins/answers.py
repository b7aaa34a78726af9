"""Checking what a hook returned: a vendor's wrong answer is named where it is given, not where it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from kgb_core.models.device import Device
from kgb_core.models.timer import Timer, TimingMethod
from kgb_core.models.tolerance import Tolerance

T = TypeVar("T")

_TIMER_METHODS = ("prepare", "start", "stop", "elapsed_ns")


def one(kind: type[T]) -> Callable[[object], T]:
    """A check that an answer is of a type.

    Args:
        kind: the type; its subclasses pass too.
    """

    def check(answer: object) -> T:
        if not isinstance(answer, kind):
            raise TypeError(f"must return {kind.__name__}, returned {_shown(answer)}")
        return answer

    return check


def one_or_none(kind: type[T]) -> Callable[[object], T | None]:
    """A check that an answer is of a type, or `None`."""

    def check(answer: object) -> T | None:
        return None if answer is None else one(kind)(answer)

    return check


def many(kind: type[T]) -> Callable[[object], list[T]]:
    """A check that an answer is a list or tuple of a type; `None` is an empty one."""

    def check(answer: object) -> list[T]:
        items = [] if answer is None else answer
        if not isinstance(items, (list, tuple)):
            raise TypeError(f"must return a list of {kind.__name__}, returned {_shown(answer)}")
        for item in items:
            if not isinstance(item, kind):
                raise TypeError(f"must return a list of {kind.__name__}, and one of them is {_shown(item)}")
        return list(items)

    return check


def devices(answer: object) -> list[Device]:
    """A check that an answer is a list of devices, each with an index of its own."""
    if answer is None:
        raise TypeError("must return a list of Device, returned None; without hardware it is []")
    found = many(Device)(answer)
    indices = [device.index for device in found]
    if len(set(indices)) != len(indices):
        raise ValueError(f"must give each device an index of its own, gave {indices}")
    return found


def strings(answer: object) -> dict[str, str]:
    """A check that an answer maps strings to strings; `None` is an empty mapping."""
    if answer is None:
        return {}
    if not isinstance(answer, Mapping):
        raise TypeError(f"must return a mapping of strings, returned {_shown(answer)}")
    for key, value in answer.items():
        if not (isinstance(key, str) and isinstance(value, str)):
            raise TypeError(f"must return a mapping of strings, and one item is {key!r}: {value!r}")
    return dict(answer)


def timer(answer: object) -> Timer:
    """A check that an answer has a timer's four methods, its name and its method."""
    missing = [name for name in _TIMER_METHODS if not callable(getattr(answer, name, None))]
    if not isinstance(getattr(answer, "name", None), str):
        missing.append("name")
    if not isinstance(getattr(answer, "method", None), TimingMethod):
        missing.append("method")
    if missing:
        raise TypeError(f"must return a Timer, returned {_shown(answer)} without {', '.join(missing)}")
    found: Any = answer
    return found  # type: ignore[no-any-return]


def function(answer: object) -> Callable[..., Any] | None:
    """A check that an answer can be called, or is `None`."""
    if answer is not None and not callable(answer):
        raise TypeError(f"must return a callable, returned {_shown(answer)}")
    return answer


class Unreasoned(ValueError):
    """An override of a tolerance that does not say why."""


def override(vendor: str) -> Callable[[object], Tolerance | None]:
    """A check that a tolerance states its reason; it comes back with the vendor as its source."""

    def check(answer: object) -> Tolerance | None:
        tolerance = one_or_none(Tolerance)(answer)
        if tolerance is None:
            return None
        if not tolerance.reason.strip():
            raise Unreasoned("an override of a tolerance needs a reason")
        return tolerance.model_copy(update={"source": vendor})

    return check


def flat(kind: type[T]) -> Callable[[object], list[T]]:
    """A check that an answer is a list of lists of a type, as several implementations give it; flattened."""

    def check(answer: object) -> list[T]:
        lists: Sequence[object] = many(object)(answer)
        return [item for items in lists for item in many(kind)(items)]

    return check


def _shown(answer: object) -> str:
    text = repr(answer)
    return f"{type(answer).__name__}: {text if len(text) <= 80 else text[:77] + '...'}"
