"""Compiling for a MUSA chip: by the vendor's Triton and toolkit where both are here, else as far as TTIR."""

from __future__ import annotations

from dataclasses import replace

from kgb_backend_mthreads import stack
from kgb_core.compiling.ttir import compile_ttir, has_backend
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch

UNCHECKED = "whether MUSA's compiler takes this kernel, and how much shared memory it needs, is not known"


def compile_launch(launch: Launch, target: Target) -> CompileOutcome | None:
    """TTIR and a note that says so; `None` where the vendor's compiler is here, which the core then asks.

    Args:
        launch: what to compile.
        target: one of this backend's targets.
    """
    missing = missing_compiler(target)
    if not missing:
        return None
    return compile_ttir(_lowered(launch, target), target, f"TTIR only, since {missing}: {UNCHECKED}")


def missing_compiler(target: Target) -> str:
    """What keeps the vendor's compiler from being asked; empty when nothing does.

    Args:
        target: one of this backend's targets.
    """
    if not has_backend(target):
        return "the installed Triton has no MUSA back end"
    if stack.toolkit() is None:
        return f"there is no MUSA toolkit in {stack.TOOLKIT_VARIABLE} or {stack.TOOLKIT}"
    return ""


def _lowered(launch: Launch, target: Target) -> Launch:
    """The launch with as many warps as the vendor's Triton would give it.

    Where a warp has 128 threads it lowers num_warps to what a block holds instead of refusing (log in
    sgl-project/sglang#10023).
    """
    most = target.limits.threads_per_block
    asked = launch.options.get("num_warps")
    if most is None or asked is None:
        return launch
    return replace(launch, options={**launch.options, "num_warps": min(asked, most // target.warp_size)})
