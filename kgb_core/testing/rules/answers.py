"""Answers: every hook that needs no device answers, with the type that it states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest

from kgb_core.errors import BackendError
from kgb_core.models.device import Device, Target
from kgb_core.models.dtypes import DType
from kgb_core.plugins.answers import Unreasoned
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered

DEVICE = Device(index=0, name="an accelerator of which nothing is known")
OPERATOR = "conformance::scale"

ASK: Mapping[str, Callable[[Backend], object]] = MappingProxyType(
    {
        "kgb_probe": lambda backend: backend.probe(),
        "kgb_discover_devices": lambda backend: backend.discover_devices(),
        "kgb_capabilities": lambda backend: backend.capabilities(DEVICE),
        "kgb_worker_environment": lambda backend: backend.worker_environment(DEVICE),
        "kgb_targets": lambda backend: backend.targets(),
        "kgb_tolerance": lambda backend: backend.tolerance(OPERATOR, DType.FLOAT32, DEVICE),
        "kgb_baseline": lambda backend: backend.baseline(OPERATOR, DEVICE),
        "kgb_environment": lambda backend: backend.environment(),
        "kgb_doctor_checks": lambda backend: backend.doctor_checks(),
        "kgb_prompt_notes": lambda backend: [backend.prompt_notes(target) for target in _targets(backend)],
    }
)
"""How each hook is asked that needs no device; the others belong to compiling and to the chip."""


@pytest.mark.parametrize("hook", ASK)
def test_answers_have_the_stated_types(backend: Backend, hook: str) -> None:
    """Every hook answers with the type that it states, for a device of which only the name is known."""
    try:
        ASK[hook](backend)
    except BackendError as error:
        if not isinstance(error.__cause__, Unreasoned):  # another rule's subject
            pytest.fail(f"{error.hook}: {error.why}")


def test_probe_gives_evidence(backend: Backend) -> None:
    """A probe with a score says what it saw."""
    probe = answered(backend.probe)
    assert not probe.score or any(line.strip() for line in probe.evidence), (
        f"score {probe.score} without evidence"
    )


def _targets(backend: Backend) -> list[Target]:
    """The targets; their own parameter tells if they can't be had."""
    try:
        return backend.targets()
    except BackendError:
        return []
