"""A backend that needs a module that nobody has."""

from __future__ import annotations

import no_such_vendor_library

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device

VERSION = no_such_vendor_library.version()


class Backend:
    """A backend that needs a module that nobody has."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="needy", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
