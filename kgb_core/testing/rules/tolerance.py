"""Tolerances: an answer for every operator and dtype, and a reason for every override."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kgb_core.errors import BackendError
from kgb_core.models.device import Device
from kgb_core.models.dtypes import DType
from kgb_core.operators.registry import load_registry
from kgb_core.plugins.answers import Unreasoned
from kgb_core.plugins.backend import Backend
from kgb_core.testing.asking import ANSWERS
from kgb_core.testing.rules.answers import DEVICE, OPERATOR

_THIRD_PARTY = "third_party::made_up"


def test_tolerance_is_total(backend: Backend, described: list[Device]) -> None:
    """Every operator and dtype gets an answer, on a device with few facts and for operators not known yet."""
    for failure in _failures(backend, described):
        if not isinstance(failure.error.__cause__, Unreasoned):
            pytest.fail(failure.text)


def test_tolerance_overrides_have_reasons(backend: Backend, described: list[Device]) -> None:
    """Every override says why; the reason is stored with each record that it touched."""
    for failure in _failures(backend, described):
        if isinstance(failure.error.__cause__, Unreasoned):
            pytest.fail(failure.text)


class _Failure:
    """What asking for one tolerance raised."""

    def __init__(self, operator: str, dtype: DType, device: Device, error: BackendError) -> None:
        self.error = error
        self.text = f"for {operator}, {dtype.value}, {device.name}: {error.why}"


def _failures(backend: Backend, devices: list[Device]) -> Iterator[_Failure]:
    try:
        backend.tolerance(OPERATOR, DType.FLOAT32, DEVICE)
    except BackendError as error:
        if not isinstance(error.__cause__, Unreasoned):
            pytest.skip(f"{error.hook} gives no answer: the rule {ANSWERS} tells why")
    for operator in (*load_registry().operators, OPERATOR, _THIRD_PARTY):
        for device in devices:
            for dtype in DType:
                try:
                    backend.tolerance(operator, dtype, device)
                except BackendError as error:
                    yield _Failure(operator, dtype, device, error)
