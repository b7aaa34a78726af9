"""The one device: the host, and the environment that its workers need."""

from __future__ import annotations

import platform

import psutil

from kgb_core.models import Device

WORKER_ENVIRONMENT = {
    "TRITON_INTERPRET": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Workers run side by side, one a core; more threads would only wait for one another."""


def device() -> Device:
    """The host as a device."""
    machine = platform.machine()
    return Device(
        index=0,
        name=f"Triton interpreter on {machine}",
        arch=machine,
        memory_bytes=psutil.virtual_memory().total,
        compute_units=psutil.cpu_count(logical=False),
    )
