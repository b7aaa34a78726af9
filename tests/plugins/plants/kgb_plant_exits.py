"""A backend whose module ends the program as it is imported."""

from __future__ import annotations

import sys

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device

sys.exit(3)


class Backend:
    """A backend whose module ends the program as it is imported."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="exits", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
