"""One of two backends of the same name."""

from __future__ import annotations

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device

raise RuntimeError("it must not be imported")


class Backend:
    """One of two backends of the same name."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="twin", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
