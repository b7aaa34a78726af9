"""What is stored of the machine: what matters to a result, and nobody's name."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

import psutil

from kgb_core.models.manifest import System, SystemDevice
from kgb_core.runner.stations import Station


def system_of(stations: Sequence[Station], sandbox: str) -> System:
    """Describe this machine and the devices of a run."""
    by_backend = {station.ref.name: station for station in stations}
    return System(
        os=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=platform.python_version(),
        cpu_count=os.cpu_count() or 1,
        memory_bytes=psutil.virtual_memory().total,
        devices=tuple(
            SystemDevice(backend=s.ref, device=s.device, capabilities=s.capabilities) for s in stations
        ),
        environment={name: _environment(station) for name, station in by_backend.items()},
        sandbox=sandbox,
    )


def _environment(station: Station) -> dict[str, str]:
    """Of the interpreter that its workers run under."""
    return dict(station.interpreter.environment if station.interpreter else station.backend.environment())
