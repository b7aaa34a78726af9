"""A backend with a hook that wants an argument that the core has not."""

from __future__ import annotations

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device


class Backend:
    """A backend with a hook that wants an argument that the core has not."""

    @hookimpl
    def kgb_capabilities(self, device: Device, driver: str) -> None:
        """Wants a driver."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="argument", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
