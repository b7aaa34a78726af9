"""Compiling for a MACA chip: by MetaX's Triton and MACA where both are here, else as far as TTIR."""

from __future__ import annotations

from kgb_backend_metax import stack
from kgb_core.compiling.ttir import compile_ttir, has_backend
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch

UNCHECKED = "whether MetaX's compiler takes this kernel, and how much shared memory it needs, is not known"


def compile_launch(launch: Launch, target: Target) -> CompileOutcome | None:
    """TTIR and a note that says so; `None` where MetaX's compiler is here, which the core then asks.

    Args:
        launch: what to compile.
        target: one of this backend's targets.
    """
    missing = missing_compiler(target)
    return compile_ttir(launch, target, f"TTIR only, since {missing}: {UNCHECKED}") if missing else None


def missing_compiler(target: Target) -> str:
    """What keeps MetaX's compiler from being asked; empty when nothing does.

    Args:
        target: one of this backend's targets.
    """
    if not has_backend(target):
        return "the installed Triton has no MACA back end"
    if stack.toolkit() is None:
        return f"there is no MACA in {stack.TOOLKIT_VARIABLE} or {stack.TOOLKIT}"
    return ""
