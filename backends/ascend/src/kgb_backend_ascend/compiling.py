"""Compiling for an Ascend chip: as far as what is installed goes, and the outcome says how far that was."""

from __future__ import annotations

import time

from kgb_backend_ascend import unified_buffer
from kgb_backend_ascend.forms import LINALG, TTIR, Forms, lower
from kgb_backend_ascend.unified_buffer import Verdict
from kgb_core.compiling.scratch import scratch
from kgb_core.compiling.ttir import has_backend
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch, Resources, Stage

BINARY = "npubin"
NO_BACKEND = (
    "TTIR only, since the installed Triton has no Ascend back end: "
    "whether triton-ascend takes this kernel, and whether it fits into the Unified Buffer, is not known"
)
NO_CHECK = (
    "Linalg only, since there is no bishengir-compile (pip install ascendnpu-ir, or CANN): "
    "whether the operations are legal and fit into the Unified Buffer is not known"
)
NO_BINARY = "checked as far as the compiler's last step, hivmc, which only CANN has: no binary"
TOO_LONG = 49
"""Characters of a kernel's name that CANN keeps: triton-ascend's `pack_metadata` cuts off what is before."""


def compile_launch(launch: Launch, target: Target) -> CompileOutcome:
    """Lower a launch, and let the compiler check it where there is one.

    Args:
        launch: what to compile.
        target: one of this backend's targets.

    Raises:
        UsageError: the kernel was made under the interpreter.
    """
    began = time.perf_counter_ns()
    with scratch() as place:
        forms = lower(launch, target)
        log = place.messages()
    verdict = _checked(forms, target)
    return CompileOutcome(
        stage=_stage(forms, verdict),
        kernel=launch.function.__name__,
        resources=Resources(shared_memory_bytes=verdict.needed if verdict else None),
        artefacts=_artefacts(forms, verdict),
        error=forms.error or (verdict.error if verdict else ""),
        log=log + (verdict.log if verdict else ""),
        note="; ".join(filter(None, [_note(target, verdict, forms), _name_note(launch)])),
        nanoseconds=time.perf_counter_ns() - began,
    )


def _checked(forms: Forms, target: Target) -> Verdict | None:
    """The compiler's verdict; `None` where it could not be asked."""
    program = unified_buffer.compiler()
    if program is None or LINALG not in forms.texts:
        return None
    return unified_buffer.check(forms.texts[LINALG], str(target.triton_arch), forms.options, program)


def _stage(forms: Forms, verdict: Verdict | None) -> Stage:
    if verdict and verdict.binary:
        return Stage.BINARY
    if LINALG in forms.texts:
        return Stage.LINALG
    return Stage.TTIR if TTIR in forms.texts else Stage.NOTHING


def _artefacts(forms: Forms, verdict: Verdict | None) -> dict[str, bytes]:
    texts = {name: text.encode() for name, text in forms.texts.items()}
    return {**texts, BINARY: verdict.binary} if verdict and verdict.binary else texts


def _note(target: Target, verdict: Verdict | None, forms: Forms) -> str:
    if not has_backend(target):
        return NO_BACKEND
    if verdict is None:
        return "" if forms.error else NO_CHECK
    return "" if verdict.binary or verdict.error else NO_BINARY


def _name_note(launch: Launch) -> str:
    name = launch.function.__name__
    if len(name) <= TOO_LONG:
        return ""
    return f"the kernel's name has {len(name)} characters, and CANN keeps the last {TOO_LONG}"
