"""A backend whose module imports torch."""

from __future__ import annotations

import torch
from kgb_fakes import Right

from kgb_core import hookimpl
from kgb_core.models import BackendInfo


class Heavy(Right):
    """Right but for the import."""

    version = torch.__version__

    @hookimpl
    def kgb_backend_info(self) -> BackendInfo:
        return self.identity("import_is_light")
