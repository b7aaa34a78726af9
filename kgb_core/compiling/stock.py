"""Compiling a captured launch with the Triton that is installed, for a chip that need not be here."""

from __future__ import annotations

import json
import time
from typing import Any

from kgb_core.compiling.scratch import Scratch, scratch
from kgb_core.compiling.source import ast_source, gpu_target
from kgb_core.compiling.words import words
from kgb_core.models.device import Target
from kgb_core.models.launch import CompileOutcome, Launch, Resources, Stage

_TEXT_STAGES = {"ttir": Stage.TTIR, "ttgir": Stage.TTGIR, "llir": Stage.LLIR}
_BOOKKEEPING = frozenset({"json", "source"})
"""What Triton stores beside the compiled forms."""


def compile_launch(launch: Launch, target: Target) -> CompileOutcome:
    """Compile one launch for one target; takes about half a second and launches nothing.

    Args:
        launch: what to compile.
        target: what for; it need not be on this machine.

    Returns:
        What was reached, with the compiler's own words where it failed. Limits are not checked here.

    Raises:
        UsageError: the kernel or the target can't be given to Triton at all.
    """
    import triton

    source, chip = ast_source(launch), gpu_target(target)
    began = time.perf_counter_ns()
    error = ""
    with scratch() as place:
        try:
            triton.compile(source, target=chip, options=dict(launch.options))
        except Exception as raised:  # the border to a compiler: its rejection of a kernel is an outcome
            error = words(raised)
        nanoseconds = time.perf_counter_ns() - began
        return _outcome(launch, place, _binary_form(chip), error, nanoseconds)


def _outcome(launch: Launch, place: Scratch, binary: str, error: str, nanoseconds: int) -> CompileOutcome:
    stored = place.artefacts()
    artefacts = {form: data for form, data in stored.items() if form not in _BOOKKEEPING}
    return CompileOutcome(
        stage=_stage(artefacts, binary),
        kernel=launch.function.__name__,
        resources=_resources(json.loads(stored["json"])) if "json" in stored else Resources(),
        artefacts=artefacts,
        error=error,
        log=place.messages(),
        nanoseconds=nanoseconds,
    )


def _stage(artefacts: dict[str, bytes], binary: str) -> Stage:
    if binary in artefacts:
        return Stage.BINARY
    reached = [stage for form, stage in _TEXT_STAGES.items() if form in artefacts]
    return reached[-1] if reached else Stage.NOTHING


def _binary_form(chip: Any) -> str:
    """The extension of the last form for a target, as Triton's backend names it."""
    from triton.compiler.compiler import make_backend

    return str(make_backend(chip).binary_ext)


def _resources(metadata: dict[str, Any]) -> Resources:
    """What the compiled kernel needs, from the metadata stored beside it."""
    warps = metadata.get("num_warps")
    width = (metadata.get("target") or {}).get("warp_size") or metadata.get("warp_size")
    return Resources(
        shared_memory_bytes=metadata.get("shared"),
        threads_per_block=warps * width if warps and width else None,
    )
