"""Handing a captured launch to whatever Triton is installed: its interfaces changed, so they are probed."""

from __future__ import annotations

import inspect
from typing import Any

from kgb_core.errors import UsageError
from kgb_core.models.device import Target
from kgb_core.models.launch import Launch


def ast_source(launch: Launch) -> Any:
    """The launch as Triton's `ASTSource`.

    Raises:
        UsageError: the kernel was made under the interpreter, which has nothing to compile.
    """
    from triton.compiler import ASTSource

    if not hasattr(launch.function, "cache_key"):
        raise UsageError(
            f"{getattr(launch.function, '__name__', launch.function)} can't be compiled.",
            "it was decorated while TRITON_INTERPRET was set, so it has no compiled form",
            "unset TRITON_INTERPRET and compile in a new process",
        )
    known = inspect.signature(ASTSource).parameters
    constants = "constexprs" if "constexprs" in known else "constants"
    arguments = {constants: launch.constants, "attrs": _attributes(launch)}
    return ASTSource(launch.function, launch.signature, **arguments)


def _attributes(launch: Launch) -> Any:
    """Divisibility of arguments in the form that this Triton wants: a mapping, or a descriptor class."""
    import triton.backends.compiler as backend
    import triton.compiler.compiler as compiler

    places = {launch.function.arg_names.index(name): value for name, value in launch.attributes.items()}
    if hasattr(backend, "AttrsDescriptor"):
        return backend.AttrsDescriptor.from_hints(places)
    if hasattr(compiler, "AttrsDescriptor"):
        return compiler.AttrsDescriptor(
            tuple(place for place, value in places.items() if value % 16 == 0), ()
        )
    return {(place,): [["tt.divisibility", value]] for place, value in places.items()}


def gpu_target(target: Target) -> Any:
    """The target as Triton's `GPUTarget`.

    Raises:
        UsageError: the target has no name in Triton.
    """
    from triton.backends.compiler import GPUTarget

    if target.triton_backend is None or target.triton_arch is None:
        raise UsageError(
            f"{target.name} can't be compiled for.",
            "its plugin names no Triton backend for it",
            "kgb compile --help lists the targets",
        )
    return GPUTarget(target.triton_backend, target.triton_arch, target.warp_size)
