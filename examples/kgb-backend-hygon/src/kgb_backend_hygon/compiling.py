"""Compiling for a DCU: by Hygon's Triton where it is installed, else as far as TTIR."""

from __future__ import annotations

from kgb_backend_hygon import stack
from kgb_core.compiling.ttir import compile_ttir
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch

NOTE = (
    "TTIR only, since Hygon's Triton is not installed (it comes with DTK, or as FlagTree): whether that "
    "takes this kernel, and how much shared memory it needs, is not known"
)


def compile_launch(launch: Launch, target: Target) -> CompileOutcome | None:
    """TTIR and a note that says so; `None` where Hygon's compiler is here, which the core then asks.

    Stock Triton has a back end of the same name for another vendor's chips. It can't make code for gfx928 and
    gfx936, so it is never asked for more than TTIR.

    Args:
        launch: what to compile.
        target: one of this backend's targets.
    """
    return None if stack.has_triton() else compile_ttir(launch, target, NOTE)
