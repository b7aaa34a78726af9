"""Importing a candidate and calling it: what it raises is told with the place where it was raised."""

from __future__ import annotations

import dis
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType, TracebackType
from typing import Any

from kgb_core.worker.protocol import Failed, LoadRequest, Stage
from kgb_core.worker.translate import translated

_TRACEBACK_LIMIT = 8000
_MESSAGE_LIMIT = 2000
_RAISE = dis.opmap["RAISE_VARARGS"]


class Refused(Exception):
    """A stage failed; carries the reply."""

    def __init__(self, reply: Failed) -> None:
        super().__init__(reply.message)
        self.reply = reply


def load(request: LoadRequest, device_type: str) -> Callable[..., Any]:
    """Import the candidate's file and find its entry function.

    Args:
        request: which file and which name.
        device_type: what the source's device names are translated to, if asked.

    Raises:
        Refused: the import raised, or there is no such function.
    """
    path = Path(request.path)
    if request.translate:
        source = path.read_text(encoding="utf-8")
        path.write_text(translated(source, device_type), encoding="utf-8")
    module = _imported(path)
    entry = getattr(module, request.entry, None)
    if not callable(entry):
        found = "is not callable" if entry is not None else "is not defined"
        raise Refused(_failed(Stage.ENTRY, f"{request.entry} {found}"))
    checked: Callable[..., Any] = entry
    return checked


def fits(entry: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> None:
    """Refuse a call that the entry's signature can't take.

    Raises:
        Refused: with the signature in the message.
    """
    try:
        signature = inspect.signature(entry)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise Refused(_failed(Stage.SIGNATURE, f"{error}; the function is {signature}")) from error


def failure(stage: Stage, error: BaseException, candidate: Path) -> Failed:
    """Describe an exception that came out of a candidate."""
    own = _from_candidate(error.__traceback__, candidate)
    places = _places(error)
    text = "".join(traceback.format_exception(type(error), error, own))
    return Failed(
        stage=stage,
        type=_name(type(error)),
        bases=tuple(_name(base) for base in type(error).__mro__[1:-1]),
        message=str(error)[:_MESSAGE_LIMIT],
        traceback=_capped(text.replace(f"{candidate.parent}/", "")),
        declined=bool(places) and _declines(places[-1], candidate),
        in_compiler=any(_is_compiler(place.tb_frame) for place in places),
    )


def _from_candidate(trace: TracebackType | None, candidate: Path) -> TracebackType | None:
    """The part of a traceback that begins in the candidate; all of it if it never gets there."""
    inner = trace
    while inner is not None and inner.tb_frame.f_code.co_filename != str(candidate):
        inner = inner.tb_next
    return inner or trace


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise Refused(failure(Stage.IMPORT, error, path)) from error
    return module


def _failed(stage: Stage, message: str) -> Failed:
    return Failed(
        stage=stage, type="", bases=(), message=message, traceback="", declined=False, in_compiler=False
    )


def _places(error: BaseException) -> list[TracebackType]:
    found: list[TracebackType] = []
    place = error.__traceback__
    while place:
        found.append(place)
        place = place.tb_next
    return found


def _declines(place: TracebackType, candidate: Path) -> bool:
    """True for a `raise` or `assert` in the candidate's file; both compile to the same instruction."""
    code = place.tb_frame.f_code
    return code.co_filename == str(candidate) and code.co_code[place.tb_lasti] == _RAISE


def _is_compiler(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__", "")
    return str(module).startswith(("triton.compiler", "triton.backends"))


def _name(kind: type[BaseException]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _capped(text: str) -> str:
    return text if len(text) <= _TRACEBACK_LIMIT else "…" + text[-_TRACEBACK_LIMIT:]
