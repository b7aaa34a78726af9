"""The intermediate forms of a captured launch: TTIR by any Triton, Linalg by triton-ascend. Needs no CANN.

TTIR is made before Triton knows much of the chip, so another chip's back end can stand in. What that finds
are the errors that any chip would give: syntax, types, shapes. triton-ascend's own stages give Linalg too;
they are called one by one, since `triton.compile` would go on to stages that need CANN and a device.
"""

from __future__ import annotations

import inspect
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kgb_core.compiling.source import ast_source
from kgb_core.compiling.ttir import backend_for
from kgb_core.compiling.words import words
from kgb_core.models import Target
from kgb_core.models.launch import Launch

TTIR = "ttir"
LINALG = "ttadapter"
"""What triton-ascend calls its Linalg form."""


@dataclass
class Forms:
    """What lowering a launch gave.

    Attributes:
        texts: each form that was reached.
        options: the options that the back end compiles with, those of the launch among them.
        error: the compiler's own words; empty where every form was reached.
    """

    texts: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    error: str = ""


def lower(launch: Launch, target: Target) -> Forms:
    """Lower a launch as far as the installed Triton can without CANN.

    Args:
        launch: what to lower.
        target: what for.

    Raises:
        UsageError: the kernel was made under the interpreter.
    """
    source = ast_source(launch)
    found = Forms()
    try:
        for name, text in _texts(source, launch, backend_for(target), found.options):
            found.texts[name] = text
    except Exception as raised:  # the border to a compiler: its rejection of a kernel is an outcome
        found.error = _words(raised)
    return found


def _texts(source: Any, launch: Launch, backend: Any, options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    from triton._C.libtriton import ir

    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    known = {
        "target": backend.target,
        "options": backend.parse_options({**source.parse_options(), **launch.options}),
        "context": context,
        "module_map": backend.get_module_map() if hasattr(backend, "get_module_map") else {},
        "language": getattr(source, "language", None),
        "stages": {},
    }
    options.update(vars(known["options"]))
    known["codegen_fns"] = _called(backend.get_codegen_implementation, known)
    form = _called(source.make_ir, known)
    _called(backend.add_stages, known)
    metadata = {"target": backend.target, **options}
    for name in (TTIR, LINALG):
        if name in known["stages"]:
            form = known["stages"][name](form, metadata)
            yield name, str(form)


def _called(function: Callable[..., Any], known: dict[str, Any]) -> Any:
    """Call with those arguments that this version of Triton asks for, by name."""
    asked = inspect.signature(function).parameters
    return function(**{name: value for name, value in known.items() if name in asked})


def _words(error: Exception) -> str:
    """The compiler's own words; triton-ascend's Linalg is made by a program, which says its own."""
    return _last_words(error.stderr) if isinstance(error, subprocess.CalledProcessError) else words(error)


def _last_words(said: bytes | str | None) -> str:
    """What a program of the compiler said, errors first; the first line says most."""
    text = said.decode(errors="replace") if isinstance(said, bytes) else said or ""
    told = [line.strip() for line in text.splitlines() if line.strip()]
    loud = [line for line in told if "error:" in line]
    return "\n".join([*loud, *(line for line in told if line not in loud)]) or "the compiler failed silently"
