"""Results to stdout: a table for a person, one JSON document for a program."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from rich.console import RenderableType

from kgb_core.models.base import FrozenModel
from kgb_core.report.grid import rendered


def show(renderable: RenderableType) -> None:
    """Write a table or text: to the terminal's width and in colour, or, to a pipe, unwrapped and plain."""
    if sys.stdout is not None and sys.stdout.isatty():
        colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        emit(rendered(renderable, width=shutil.get_terminal_size().columns, colour=colour))
    else:
        emit(rendered(renderable))


def show_json(schema: str, **content: Any) -> None:
    """Write one JSON document.

    Args:
        schema: its kind and version: `kgb.operators/1`.
        content: what else is in it; records may stand anywhere in lists and dicts.
    """
    document = {"schema": schema, **{name: plain_data(value) for name, value in content.items()}}
    emit(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def plain_data(value: Any) -> Any:
    """Records as JSON values, NaN and infinity as the strings that records are stored with."""
    if isinstance(value, FrozenModel):
        return json.loads(value.model_dump_json())
    if isinstance(value, dict):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_data(item) for item in value]
    return value


def emit(text: str) -> None:
    """Write to stdout. A reader that went away is no error: the verb goes on and its exit code stands."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()


def remark(text: str) -> None:
    """Write a line to stderr, likewise: what can't be said must not change the exit code."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        _abandon(sys.stderr)


def abandon_stdout() -> None:
    """Let stdout lead nowhere, so that flushing it at exit does not fail again."""
    _abandon(sys.stdout)


def _abandon(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
