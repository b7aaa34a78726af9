"""Capabilities: about things that the core knows, and with a reason wherever they take something away."""

from __future__ import annotations

from collections.abc import Iterator

from kgb_core.models.device import Capabilities, Device, Feature, Support
from kgb_core.models.dtypes import DType
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered

_KNOWN = frozenset(member.value for kind in (DType, Feature) for member in kind)


def test_capabilities_are_of_known_things(backend: Backend, described: list[Device]) -> None:
    """Capabilities are keyed by dtypes and features that the core knows: nothing else is ever looked up."""
    unknown = {name for declared in _declared(backend, described) for name in declared.table} - _KNOWN
    assert not unknown, f"neither a dtype nor a feature: {', '.join(sorted(unknown))}"


def test_limited_support_has_a_reason(backend: Backend, described: list[Device]) -> None:
    """What is unsupported or partial says why: a user reads it of every case that was not run."""
    for declared in _declared(backend, described):
        for name, capability in declared.table.items():
            limited = capability.support in (Support.PARTIAL, Support.UNSUPPORTED)
            assert not limited or capability.reason.strip(), f"{name} is {capability.support.value}: why?"


def _declared(backend: Backend, devices: list[Device]) -> Iterator[Capabilities]:
    for device in devices:
        yield answered(lambda device=device: backend.capabilities(device))  # type: ignore[misc]
