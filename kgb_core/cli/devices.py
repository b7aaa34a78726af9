"""`kgb devices`: every device of every loaded backend."""

from __future__ import annotations

from dataclasses import dataclass

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.cli.loading import load, vendors_speak_to_stderr
from kgb_core.cli.options import Backends, Json
from kgb_core.cli.output import plain_data, show, show_json
from kgb_core.errors import BackendError, ExitCode
from kgb_core.models.device import Device
from kgb_core.models.plan import device_name
from kgb_core.plugins import Backend
from kgb_core.report.grid import Cell, grid

_HEADERS = ("device", "name", "arch", "memory", "driver", "state")


@dataclass(frozen=True)
class Found:
    """What one backend answered: its devices, or why it could not look."""

    backend: Backend
    devices: tuple[Device, ...]
    error: BackendError | None = None


def devices(backend: Backends = None, json: Json = False) -> None:
    """List the devices that can be used, and what keeps the others from it.

    Exits with 3 if there is none.
    """
    found = [discover(each) for each in load(backend).backends.values()]
    if json:
        show_json(
            "kgb.devices/1", devices=[_document(each, device) for each in found for device in each.devices]
        )
    else:
        show(_table(found))
    if not any(device.state is None for each in found for device in each.devices):
        raise typer.Exit(ExitCode.NO_DEVICE)


def discover(backend: Backend) -> Found:
    """Ask one backend; what it raises is told and does not hide the devices of others."""
    try:
        with vendors_speak_to_stderr():
            return Found(backend, tuple(backend.discover_devices()))
    except BackendError as error:
        return Found(backend, (), error)


def _document(found: Found, device: Device) -> dict[str, object]:
    vendor = found.backend.vendor
    return {"backend": vendor, "id": device_name(vendor, device.index), **plain_data(device)}


def _table(found: list[Found]) -> RenderableType:
    rows = [_row(each.backend.vendor, device) for each in found for device in each.devices]
    told = [Text(_nothing(each)) for each in found if not each.devices]
    if not found:
        told = [Text("no backend is loaded; kgb backends says why")]
    return Group(*([grid(rows, _HEADERS)] if rows else []), *told)


def _nothing(found: Found) -> str:
    return str(found.error) if found.error is not None else f"{found.backend.vendor}: no device"


def _row(vendor: str, device: Device) -> list[Cell]:
    state = Text("ready", style="green") if device.state is None else Text(device.state, style="red")
    return [
        device_name(vendor, device.index),
        device.name,
        device.arch or "",
        _gibibytes(device.memory_bytes),
        device.driver_version or "",
        state,
    ]


def _gibibytes(count: int | None) -> str:
    return "" if count is None else f"{count / 2**30:.1f} GiB"
