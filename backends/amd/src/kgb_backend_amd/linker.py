"""The linker that an older Triton needs for AMD: without it nothing compiles, whatever the kernel.

Triton 3.2 calls ROCm's `ld.lld` before it has looked at a kernel; 3.9 has its own. So it is looked for first:
its absence is no fault of a candidate's.
"""

from __future__ import annotations

from kgb_core.compiling.ttir import compile_ttir
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch

NOTE = "TTIR only, since this Triton needs ROCm's ld.lld to make a binary: {why}"


def compile_without_linker(launch: Launch, target: Target) -> CompileOutcome | None:
    """TTIR where the linker is needed and absent; `None`: stock Triton can go all the way."""
    why = missing()
    return compile_ttir(launch, target, NOTE.format(why=why)) if why else None


def missing() -> str:
    """Why Triton can't link, in its own words; empty where it can, or needs no linker."""
    from triton.backends.amd.compiler import HIPBackend

    find = getattr(HIPBackend, "path_to_rocm_lld", None)
    if find is None:
        return ""
    try:
        find()
    except Exception as error:  # Triton raises a bare Exception
        return str(error)
    return ""
