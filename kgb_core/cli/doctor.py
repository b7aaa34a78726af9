"""`kgb doctor`: what works here, what doesn't, and the exact step that mends it."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence

import typer
from rich.text import Text

from kgb_core.cli.devices import Found, discover
from kgb_core.cli.loading import survey, vendors_speak_to_stderr
from kgb_core.cli.options import Backends, Json
from kgb_core.cli.output import show, show_json
from kgb_core.cli.stack import Stack, examine_stack
from kgb_core.errors import BackendError, ExitCode, KgbError
from kgb_core.models.doctor import DoctorCheck, Health
from kgb_core.models.plugins import LoadState, PluginEntry
from kgb_core.operators.registry import load_registry
from kgb_core.plugins import Backend
from kgb_core.report.grid import Cell, grid
from kgb_core.report.text import counted
from kgb_core.version import __version__

_STYLES = {Health.OK: "green", Health.BROKEN: "red"}


def doctor(backend: Backends = None, json: Json = False) -> None:
    """Check the core, the sandbox and every backend, and say how to mend what isn't ok.

    Exits with 3 if no backend has a device, else with 1 if something is broken.
    """
    loaded = survey(backend)
    found = {name: discover(each) for name, each in loaded.backends.items()}
    checks = [_core(examine_stack()), _sandbox(), _operators()]
    for entry in loaded.report.entries:
        checks += _backend(entry, found.get(entry.name))
    if json:
        show_json("kgb.doctor/1", checks=checks)
    else:
        show(grid([_row(check) for check in checks]))
    code = _code(checks, [device.state for each in found.values() for device in each.devices])
    if code is not ExitCode.OK:
        raise typer.Exit(code)


def _code(checks: Sequence[DoctorCheck], states: Sequence[str | None]) -> ExitCode:
    if None not in states:
        return ExitCode.NO_DEVICE
    broken = any(check.health is Health.BROKEN for check in checks)
    return ExitCode.FAILED if broken else ExitCode.OK


def _row(check: DoctorCheck) -> list[Cell]:
    told = f"{check.found}\n{check.fix}" if check.fix else check.found
    return [check.name, Text(check.health.value, style=_STYLES.get(check.health, "yellow")), told]


def _core(stack: Stack) -> DoctorCheck:
    here = f"kgb-core {__version__}, Python {platform.python_version()}"
    if stack.incomplete:
        fix = "install the torch and triton that your chip's vendor ships; without a chip: pip install "
        fix += '"kgb-backend-cpu[stack]"'
        health = Health.BROKEN if stack.broken else Health.WARN
        return DoctorCheck(name="core", health=health, found=f"{here}, {stack.summary}", fix=fix)
    return DoctorCheck(name="core", health=Health.OK, found=f"{here}, {stack.summary}")


def _sandbox() -> DoctorCheck:
    from kgb_core.worker.sandbox import Sandbox, choose, describe

    if choose() is Sandbox.PROCESS:
        fix = "install bubblewrap, then run kgb doctor again"
        return DoctorCheck(name="sandbox", health=Health.WARN, found=describe(), fix=fix)
    return DoctorCheck(name="sandbox", health=Health.OK, found=describe())


def _operators() -> DoctorCheck:
    try:
        count = len(load_registry().operators)
    except KgbError as error:
        return DoctorCheck(
            name="operators", health=Health.BROKEN, found=error.what, fix=error.hint or error.why
        )
    if not count:
        return DoctorCheck(
            name="operators", health=Health.BROKEN, found="none installed", fix="pip install kgb-operators"
        )
    return DoctorCheck(name="operators", health=Health.OK, found=f"{count} installed")


def _backend(entry: PluginEntry, found: Found | None) -> Iterator[DoctorCheck]:
    if found is None:
        health = Health.OFF if entry.state is LoadState.DISABLED else Health.BROKEN
        told = entry.reason if health is Health.OFF else f"{entry.state.value}: {entry.reason}"
        yield DoctorCheck(name=entry.name, health=health, found=told, fix=entry.next_step)
        return
    yield from _merged(_devices(found), list(_own_checks(found.backend)))


def _merged(devices: DoctorCheck, own: list[DoctorCheck]) -> Iterator[DoctorCheck]:
    """Where there is nothing, one line says so: the vendor's, which knows where it has looked."""
    same = [check for check in own if devices.health is check.health is Health.NONE]
    if not same:
        yield devices
        yield from own
        return
    yield same[0].model_copy(update={"name": devices.name, "found": f"plugin loaded; {same[0].found}"})
    yield from (check for check in own if check is not same[0])


def _devices(found: Found) -> DoctorCheck:
    name = found.backend.vendor
    if found.error is not None:
        return _failed(name, found.error)
    unusable = [f"{device.name}: {device.state}" for device in found.devices if device.state is not None]
    usable = len(found.devices) - len(unusable)
    if usable and not unusable:
        return DoctorCheck(name=name, health=Health.OK, found=counted(usable, "device"))
    if found.devices:
        told = f"{usable} of {counted(len(found.devices), 'device')} usable; {'; '.join(unusable)}"
        return DoctorCheck(
            name=name, health=Health.WARN, found=told, fix="see what the vendor's tool says of these devices"
        )
    return _nothing(found.backend)


def _failed(name: str, error: BackendError) -> DoctorCheck:
    return DoctorCheck(name=name, health=Health.BROKEN, found=f"{error.what}: {error.why}", fix=error.hint)


def _nothing(backend: Backend) -> DoctorCheck:
    try:
        evidence = "; ".join(backend.probe().evidence)
    except BackendError as error:
        return _failed(backend.vendor, error)
    told = (
        f"plugin loaded; no device found, though {evidence}" if evidence else "plugin loaded; no device found"
    )
    return DoctorCheck(
        name=backend.vendor,
        health=Health.NONE,
        found=told,
        fix="if there is one: install its driver, then run kgb doctor again",
    )


def _own_checks(backend: Backend) -> Iterator[DoctorCheck]:
    try:
        with vendors_speak_to_stderr():
            checks = backend.doctor_checks()
    except BackendError as error:
        yield _failed(backend.vendor, error)
        return
    for check in checks:
        name = backend.vendor if check.name == backend.vendor else f"{backend.vendor} {check.name}"
        yield check.model_copy(update={"name": name})
