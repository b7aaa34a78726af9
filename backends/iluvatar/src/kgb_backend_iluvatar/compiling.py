"""Compiling for a CoreX chip: by Iluvatar's Triton where it is installed, else as far as TTIR.

Stock Triton has a back end that would take the chip's number for another vendor's, so it is never asked.
"""

from __future__ import annotations

from typing import Any

from kgb_backend_iluvatar import stack
from kgb_core.compiling import stock
from kgb_core.compiling.source import gpu_target
from kgb_core.compiling.ttir import compile_ttir
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch

NOTE = (
    "TTIR only, since Iluvatar's Triton is not installed (it comes with CoreX, or as FlagTree): whether that "
    "takes this kernel, and how much shared memory it needs, is not known"
)
OLDER_NAME = "cuda"
"""What versions before 3.6 call the chip in a `GPUTarget`; newer ones take both names."""


def compile_launch(launch: Launch, target: Target) -> CompileOutcome:
    """A binary by the vendor's compiler, or TTIR and a note that says so.

    Args:
        launch: what to compile.
        target: one of this backend's targets.
    """
    known = vendor_target(target)
    if known is None:
        return compile_ttir(launch, target, NOTE)
    build = stack.installed("triton")
    name = f"{build.distribution} {build.version}" if build else "Iluvatar's Triton"
    return stock.compile_launch(launch, known).model_copy(update={"note": f"compiled by {name}"})


def vendor_target(target: Target) -> Target | None:
    """The target under the name that the installed Triton has for it; `None` if it isn't Iluvatar's.

    Args:
        target: one of this backend's targets.
    """
    names = (target.triton_backend, OLDER_NAME)
    forms = [target.model_copy(update={"triton_backend": name}) for name in names]
    return next((form for form in forms if _is_iluvatars(_backend(form))), None)


def _backend(target: Target) -> Any:
    """Triton's back end for a target; `None` without one."""
    from triton.compiler.compiler import make_backend

    try:
        return make_backend(gpu_target(target))
    except RuntimeError:  # "0 compatible backends"
        return None


def _is_iluvatars(backend: Any) -> bool:
    if backend is None:
        return False
    build = stack.installed("triton")
    return "iluvatar" in type(backend).__module__ or (build is not None and build.is_corex)
