"""A backend without a required hook."""

from __future__ import annotations

from kgb_core import hookimpl
from kgb_core.models import BackendInfo


class Backend:
    """A backend without a required hook."""

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        """Name itself."""
        return BackendInfo(vendor="partial", display_name="A plant", torch_device_type="cpu")
