"""The outermost border: every way in which a verb can end becomes a message and an exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import typer

from kgb_core.cli.app import app
from kgb_core.cli.output import abandon_stdout, emit
from kgb_core.cli.settings import Settings
from kgb_core.errors import ExitCode, KgbError
from kgb_core.report.text import plain

# Typer brought click along until 0.2x and has a copy of it since; its base class is found through a name that
# both have.
_USAGE_ERROR, _PARSER_ERROR = cast("tuple[type[Exception], ...]", typer.BadParameter.__mro__[1:3])


def execute(arguments: Sequence[str]) -> int:
    """Run one command line.

    Args:
        arguments: without the program's name.

    Returns:
        The exit code: one of `ExitCode`. Nothing is raised.
    """
    settings = Settings()
    _never_fail_to_print()
    try:
        code = _invoke(arguments, settings)
        emit("")
    except BrokenPipeError:
        abandon_stdout()
        code = ExitCode.OK
    except Exception as error:
        code = _reported(error, settings)
    return code


def _invoke(arguments: Sequence[str], settings: Settings) -> int:
    command = typer.main.get_command(app)
    try:
        result = command.main(list(arguments), prog_name="kgb", standalone_mode=False, obj=settings)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            raise ended.__context__ from None
        return ended.code if isinstance(ended.code, int) else ExitCode.FAILED
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    return result if isinstance(result, int) else ExitCode.OK


def _reported(error: Exception, settings: Settings) -> int:
    if settings.debug:
        _say("".join(traceback.format_exception(error)))
    if isinstance(error, KgbError):
        _say(f"kgb: {error}")
        return error.exit_code
    if isinstance(error, _PARSER_ERROR):
        _say(_usage(error))
        return ExitCode.USAGE
    frame = traceback.extract_tb(error.__traceback__)[-1]
    _say(f"kgb: internal error: {type(error).__name__}: {error}")
    _say(f"in {Path(frame.filename).name}, line {frame.lineno}, {frame.name}")
    _say("run it again with --debug and report what that prints")
    return ExitCode.INTERNAL


def _usage(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    verb = context.command_path if context is not None else "kgb"
    message: str = error.format_message()  # type: ignore[attr-defined]
    return f"kgb: {message}\n{verb} --help shows what it takes."


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        print(plain(text), file=sys.stderr)


def _never_fail_to_print() -> None:
    """Characters that the terminal's encoding lacks are written as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
