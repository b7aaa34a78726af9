"""Compiling: how far a good kernel gets is said, and a bad one is an outcome in the compiler's own words."""

from __future__ import annotations

from types import ModuleType

import pytest

from kgb_core.errors import BackendError, UsageError
from kgb_core.models.device import Target
from kgb_core.models.launch import CompileOutcome, Launch, Stage
from kgb_core.plugins.backend import Backend

_WORDS = "this kernel is wrong on purpose"


@pytest.mark.parametrize("which", ["first", "last"])
def test_compiling_says_how_far_it_got(
    backend: Backend, targets: list[Target], kernels: ModuleType, which: str
) -> None:
    """A good kernel reaches a stage, its artefacts are there, and what stops short of a binary says why."""
    target = targets[0 if which == "first" else -1]
    outcome = _compiled(backend, _launch(kernels.double), target)
    assert not outcome.error, f"{target.name} refuses a kernel that doubles a vector: {outcome.error}"
    assert outcome.stage is not Stage.NOTHING, f"{target.name}: no error, and nothing compiled"
    assert outcome.artefacts, f"{target.name}: stage {outcome.stage.value} and no artefact"
    assert outcome.stage is Stage.BINARY or outcome.note.strip(), (
        f"{target.name}: stage {outcome.stage.value} without a note on why it goes no further"
    )


def test_compile_errors_carry_a_log(backend: Backend, targets: list[Target], kernels: ModuleType) -> None:
    """A kernel that can't be compiled gives an outcome, not an exception, with the compiler's own words."""
    target = targets[0]
    outcome = _compiled(backend, _launch(kernels.refused), target)
    assert outcome.error.strip(), f"{target.name}: a wrong kernel compiles without an error"
    assert _WORDS in outcome.error + outcome.log, (
        f"{target.name}: the compiler's words are lost: {outcome.error}"
    )


def _launch(function: object) -> Launch:
    signature = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    return Launch(function, signature, {"BLOCK": 128})


def _compiled(backend: Backend, launch: Launch, target: Target) -> CompileOutcome:
    try:
        return backend.compile(launch, target)
    except BackendError as error:
        if isinstance(error.__cause__, UsageError):
            pytest.skip(f"{target.name} has no name in Triton: {error.__cause__.why}")
        pytest.fail(f"{error.hook} raises: {error.why}")
