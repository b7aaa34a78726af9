"""A backend whose module fails an assertion as it is imported."""

from __future__ import annotations

from kgb_core import HOOK_API as HOOKS
from kgb_core import hookimpl
from kgb_core.models import BackendInfo, Device

assert HOOKS == (2, 0), "the SDK has other hooks"


class Backend:
    """A backend whose module fails an assertion as it is imported."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="asserts", display_name="A plant", torch_device_type="cpu")

    @hookimpl
    def kgb_discover_devices(self) -> list[Device]:
        """One device."""
        return [Device(index=0, name="a planted device")]
