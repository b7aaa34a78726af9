"""A backend whose module raises as it is imported."""

from __future__ import annotations

from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device

raise RuntimeError("the SDK is too old\nask the vendor")


class Backend:
    """A backend whose module raises as it is imported."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="raises", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
