"""Did you mean."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from kgb_core.errors import UsageError


def close_to(name: str, known: Iterable[str]) -> str:
    """`close: a, b`, or all that there are where nothing is close."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return f"close: {', '.join(close)}" if close else f"known: {', '.join(names) or 'none'}"


def one_of(name: str, known: Iterable[str], kind: str, hint: str = "") -> str:
    """The same name, if it is known.

    Args:
        name: as given by the user.
        known: the valid names.
        kind: what it is the name of, for the message: `suite`.
        hint: the next step.

    Raises:
        UsageError: it isn't known; the message says which are close.
    """
    names = list(known)
    if name not in names:
        raise UsageError(f"no {kind} {name}.", close_to(name, names), hint)
    return name
