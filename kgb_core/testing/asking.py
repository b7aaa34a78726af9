"""How rules ask a backend, so that one fault fails one rule: the others skip, and say which rule tells."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

import pytest

from kgb_core.errors import BackendError
from kgb_core.models.device import Capabilities, Device

T = TypeVar("T")

ANSWERS = "answers-have-the-stated-types"
"""The rule that tells of a hook that raises, or answers with the wrong type."""


def answered(call: Callable[[], T], rule: str = ANSWERS) -> T:
    """What a hook answers, where its answering is another rule's subject.

    Args:
        call: asks.
        rule: the one that fails if it can't be asked.
    """
    try:
        return call()
    except BackendError as error:
        pytest.skip(f"{error.hook} gives no answer: the rule {rule} tells why")


def needs(capabilities: Capabilities, *features: Enum) -> None:
    """Skip where a device declares that it can't do what a rule is about."""
    for feature in features:
        found = capabilities.of(feature)
        if not found.support.usable:
            pytest.skip(f"{feature.value} is declared unsupported: {found.reason}")


def usable(devices: list[Device]) -> list[Device]:
    """The devices without a state that keeps them from being used."""
    return [device for device in devices if device.state is None]
