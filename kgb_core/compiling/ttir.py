"""Triton's own intermediate form of a captured launch, for chips whose compiler is not installed.

TTIR is made before Triton knows much of the chip, so another chip's back end can stand in. What that finds
are the errors that any chip would give: syntax, types, shapes.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from typing import Any

from kgb_core.compiling.scratch import scratch
from kgb_core.compiling.source import ast_source, gpu_target
from kgb_core.compiling.words import words
from kgb_core.models.device import Target
from kgb_core.models.launch import CompileOutcome, Launch, Resources, Stage

STAND_INS = (
    Target(vendor="stand-in", arch="cuda", triton_backend="cuda", triton_arch=90, warp_size=32),
    Target(vendor="stand-in", arch="hip", triton_backend="hip", triton_arch="gfx942", warp_size=64),
)
"""Tried in order: the first refuses no narrow float."""
DEFAULT_WARPS = 4
"""What every Triton takes where a launch doesn't say."""


def compile_ttir(launch: Launch, target: Target, note: str) -> CompileOutcome:
    """Take a launch as far as TTIR, and count the threads that it asks for.

    Args:
        launch: what to compile.
        target: what for: its warp size, and its own back end if Triton has it.
        note: why it goes no further; stored with the outcome.

    Raises:
        UsageError: the kernel was made under the interpreter.
    """
    source = ast_source(launch)
    began = time.perf_counter_ns()
    text = error = ""
    with scratch() as place:
        try:
            text = _ttir(source, launch, backend_for(target))
        except Exception as raised:  # the border to a compiler: its rejection of a kernel is an outcome
            error = words(raised)
        log = place.messages()
    return CompileOutcome(
        stage=Stage.TTIR if text else Stage.NOTHING,
        kernel=launch.function.__name__,
        resources=Resources(threads_per_block=_threads(launch, target)),
        artefacts={"ttir": text.encode()} if text else {},
        error=error,
        log=log,
        note=note,
        nanoseconds=time.perf_counter_ns() - began,
    )


def has_backend(target: Target) -> bool:
    """True where the installed Triton compiles for a target."""
    return next(_offered([target]), None) is not None


def backend_for(target: Target) -> Any:
    """Triton's back end for a target, or the one that stands in for it.

    Raises:
        RuntimeError: the installed Triton has neither.
    """
    found = next(_offered([target, *STAND_INS]), None)
    if found is None:
        raise RuntimeError("the installed Triton has no back end that makes TTIR")
    return found


def _offered(targets: list[Target]) -> Iterator[Any]:
    from triton.compiler.compiler import make_backend

    for target in targets:
        try:
            yield make_backend(gpu_target(target))
        except RuntimeError:  # "0 compatible backends"
            continue


def _ttir(source: Any, launch: Launch, backend: Any) -> str:
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
    known["codegen_fns"] = _called(backend.get_codegen_implementation, known)
    module = _called(source.make_ir, known)
    _called(backend.add_stages, known)
    return str(known["stages"]["ttir"](module, {}))


def _called(function: Callable[..., Any], known: dict[str, Any]) -> Any:
    """Call with those arguments that this version of Triton asks for, by name."""
    asked = inspect.signature(function).parameters
    return function(**{name: value for name, value in known.items() if name in asked})


def _threads(launch: Launch, target: Target) -> int | None:
    warps = launch.options.get("num_warps", DEFAULT_WARPS)
    return warps * target.warp_size if target.warp_size else None
