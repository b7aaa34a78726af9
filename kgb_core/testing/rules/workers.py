"""Worker environments: strings that a process can be given, and another one for another device."""

from __future__ import annotations

import re

import pytest

from kgb_core.models.device import Device
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import answered
from kgb_core.testing.rules.answers import DEVICE

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _environment(backend: Backend, device: Device) -> dict[str, str]:
    return answered(lambda: backend.worker_environment(device))


def test_worker_environment_can_be_set(backend: Backend, described: list[Device]) -> None:
    """Names are names of variables, and no value has a NUL: a process can be started with them."""
    for device in described:
        for name, value in _environment(backend, device).items():
            assert _VARIABLE.fullmatch(name), f"{name!r} names no variable"
            assert "\0" not in value, f"the value of {name} has a NUL"


def test_worker_environment_says_which_device(backend: Backend) -> None:
    """Two devices give two environments: a worker of the second must not land on the first."""
    if not backend.info.needs_hardware:
        pytest.skip("the backend declares that it needs no hardware: its one device is the host")
    if backend.info.visibility_variable is None and "kgb_worker_environment" not in backend.hooks:
        pytest.skip("nothing pins a worker to a device: the rule workers-can-be-pinned tells why")
    first, second = DEVICE, DEVICE.model_copy(update={"index": 1, "uuid": "1", "visibility_id": "1"})
    assert _environment(backend, first) != _environment(backend, second)
