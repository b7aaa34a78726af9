"""The backends that a command line asks for: `--backend`, else `KGB_BACKENDS`, else all installed ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from kgb_core.plugins import LoadedBackends, load_backends, selected, selected_from, survey_backends


def asked_for(option: list[str] | None) -> list[str] | None:
    """The names that were asked for; `None` for all.

    Args:
        option: the values of `--backend`, each a name or several with commas between.
    """
    return selected(",".join(option)) if option else selected_from(os.environ)


def load(option: list[str] | None) -> LoadedBackends:
    """Load the backends that were asked for.

    Raises:
        BackendLoadError: one that was named is absent or failed.
    """
    with vendors_speak_to_stderr():
        return load_backends(asked_for(option))


def survey(option: list[str] | None) -> LoadedBackends:
    """Load the same ones, with every failure as an entry of the report.

    Raises:
        BackendLoadError: one that was named is absent, so that the report has no entry for it.
    """
    only = asked_for(option)
    with vendors_speak_to_stderr():
        loaded = survey_backends(only)
    for name in only or ():
        if not loaded.report.of(name):
            loaded.get(name)
    return loaded


@contextmanager
def vendors_speak_to_stderr() -> Iterator[None]:
    """What a plugin prints must not get into a result."""
    with redirect_stdout(sys.stderr):
        yield
