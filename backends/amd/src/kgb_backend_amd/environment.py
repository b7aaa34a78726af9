"""Driver and ROCm versions for the manifest."""

from __future__ import annotations

from kgb_backend_amd import torch_build
from kgb_backend_amd.discovery import read
from kgb_backend_amd.machine import Machine


def versions(machine: Machine) -> dict[str, str]:
    """The kernel driver, the installed ROCm, and the HIP that torch was built with."""
    build = torch_build.installed()
    found = {
        "driver": read(machine).driver,
        "rocm": machine.rocm_version(),
        "hip": build.hip if build else None,
    }
    return {name: version for name, version in found.items() if version}
