"""Discovery: the same each time, empty without hardware, and nothing that a tool prints makes it raise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kgb_core.errors import BackendError
from kgb_core.models.device import Device
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.tools import pci_accelerators
from kgb_core.testing.asking import answered
from kgb_core.testing.damage import DAMAGES, invented
from kgb_core.testing.recordings import Recording
from kgb_core.testing.tools import Tools

VISIBILITIES = ("", "0", "-1", "7,0,99", "a word", "0,,1", "GPU-0123", "99999999999999999999", "0 1", "٣")


def test_discovery_is_deterministic(backend: Backend) -> None:
    """Asked twice, discovery gives the same devices in the same order."""
    first, second = answered(backend.discover_devices), answered(backend.discover_devices)
    assert first == second


def test_nothing_is_found_without_hardware(backend: Backend, tools: Tools) -> None:
    """Without its tool in PATH and its chip on the bus, a backend finds nothing, and does not raise.

    A backend that needs no hardware has its device everywhere.
    """
    info = backend.info
    here = pci_accelerators(info.pci_vendor_id) if info.pci_vendor_id is not None else []
    if here:
        pytest.skip(
            f"this machine has the hardware: PCI vendor {info.pci_vendor_id:#06x} at {here[0].bus_id}"
        )
    answered(backend.discover_devices)
    with tools.saying(None):
        found = _discovered(backend, "with an empty PATH")
    if info.needs_hardware:
        assert found == [], f"{len(found)} found where there is none: {found[0].name}"
    else:
        assert found, "a backend that needs no hardware found no device"


def test_recorded_output_is_understood(
    backend: Backend, tools: Tools, recorded: tuple[Recording, ...]
) -> None:
    """From what the vendor's tool really printed, discovery finds as many devices as there were."""
    told = [recording for recording in recorded if recording.devices is not None]
    if not told:
        pytest.skip("the vendor's tests name no recording with a number of devices")
    _skip_with_hardware(backend)
    for recording in told:
        with tools.saying(recording):
            found = _discovered(backend, f"on {recording.name}")
        assert len(found) == recording.devices, f"{recording.name}: {[device.name for device in found]}"


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_output_is_survived(
    backend: Backend, tools: Tools, recorded: tuple[Recording, ...], damage: str
) -> None:
    """Whatever the vendor's tool prints, discovery raises nothing."""
    answered(backend.discover_devices)
    for recording in recorded or _invented(backend):
        with tools.saying(DAMAGES[damage](recording)):
            _discovered(backend, f"on {recording.name}, {damage}")


@pytest.mark.parametrize("value", VISIBILITIES)
def test_any_visibility_is_survived(
    backend: Backend,
    tools: Tools,
    recorded: tuple[Recording, ...],
    monkeypatch: pytest.MonkeyPatch,
    value: str,
) -> None:
    """Whatever the visibility variable holds, discovery raises nothing."""
    variable = backend.info.visibility_variable
    if variable is None:
        pytest.skip("the backend declares no visibility variable")
    answered(backend.discover_devices)
    for recording in recorded[:1] or _invented(backend):
        with tools.saying(recording):
            monkeypatch.setenv(variable, value)
            _discovered(backend, f"with {variable}={value}")


def _invented(backend: Backend) -> tuple[Recording, ...]:
    return (invented(backend.info.smi_tool),) if backend.info.smi_tool else ()


def _discovered(backend: Backend, where: str) -> list[Device]:
    return _survived(backend.discover_devices, where)


def _survived(call: Callable[[], list[Device]], where: str) -> list[Device]:
    try:
        return call()
    except BackendError as error:
        pytest.fail(f"{error.hook} raises {where}: {error.why}")


def _skip_with_hardware(backend: Backend) -> None:
    if backend.info.needs_hardware and answered(backend.discover_devices):
        pytest.skip("this machine has devices of this vendor, and they are found before any recording")
