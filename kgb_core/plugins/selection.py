"""Which backends a person asked for: the text of `KGB_BACKENDS` or `--backend`, as a list.

It is decided before any plugin is imported, so that a broken one can be left out.
"""

from __future__ import annotations

from collections.abc import Mapping

VARIABLE = "KGB_BACKENDS"


def selected(text: str | None) -> list[str] | None:
    """The names in a comma-separated list.

    Args:
        text: the value of `KGB_BACKENDS` or `--backend`; `None` where it is not set.

    Returns:
        `None` for every installed backend, `[]` for none at all.
    """
    if text is None:
        return None
    return list(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))


def selected_from(environment: Mapping[str, str]) -> list[str] | None:
    """The names in `KGB_BACKENDS`: unset means every installed backend, empty means none."""
    return selected(environment.get(VARIABLE))
