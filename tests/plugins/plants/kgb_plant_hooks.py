"""A backend written for hooks of another major version."""

from __future__ import annotations

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device


class Backend:
    """A backend written for hooks of another major version."""

    api = (2, 0)

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="hooks", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
