"""A backend whose probe takes its process with it."""

from __future__ import annotations

import os
import signal

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device


class Backend:
    """A backend whose probe takes its process with it."""

    @hookimpl
    def kgb_probe(self) -> None:
        """Crash as a vendor's library does."""
        os.kill(os.getpid(), signal.SIGSEGV)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="crashes", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
