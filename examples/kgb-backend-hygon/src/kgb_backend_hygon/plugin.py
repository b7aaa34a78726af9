"""The front door of the hygon backend: each method marked `@hookimpl` answers one hook of KGB.

Made by `kgb new-backend hygon`. Checked on recorded output only: nobody who wrote this had a DCU.
"""

from __future__ import annotations

from pathlib import Path

from kgb_backend_hygon import chips, compiling, doctor, probe, stack
from kgb_backend_hygon.discovery import discover
from kgb_backend_hygon.identity import identity
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device, Probe, Target
from kgb_core.models.doctor import DoctorCheck
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.plugins.tools import SYSFS


class HygonBackend:
    """Hygon DCUs, through DTK and Hygon's builds of torch and Triton.

    Args:
        sysfs: where sysfs is mounted.
    """

    api = (1, 0)

    def __init__(self, sysfs: Path = SYSFS) -> None:
        self._sysfs = sysfs

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """The names that this chip goes by."""
        return identity()

    @hookimpl
    def kgb_probe(self) -> Probe:
        """The PCI bus, cards that are really Hygon's, and whose torch is installed."""
        return probe.evidence(self._sysfs)

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """The devices that this process may use."""
        return discover(self._sysfs)

    @hookimpl
    def kgb_targets(self) -> list[Target]:
        """Architectures, with the limits that a source gives."""
        return chips.targets()

    @hookimpl
    def kgb_compile(self, launch: Launch, target: Target) -> CompileOutcome | None:
        """Hygon's compiler where it is here, else TTIR."""
        return compiling.compile_launch(launch, target)

    @hookimpl
    def kgb_environment(self) -> dict[str, str]:
        """DTK, and HIP of Hygon's torch."""
        return stack.versions()

    @hookimpl
    def kgb_doctor_checks(self) -> list[DoctorCheck]:
        """The chip, its driver, torch."""
        return doctor.checks(self._sysfs)
