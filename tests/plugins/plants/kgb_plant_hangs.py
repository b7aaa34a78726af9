"""A backend whose probe never ends."""

from __future__ import annotations

import time

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device


class Backend:
    """A backend whose probe never ends."""

    @hookimpl
    def kgb_probe(self) -> None:
        """Wait as a tool on a broken driver does."""
        time.sleep(3600)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="hangs", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
