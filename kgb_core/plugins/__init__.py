"""Vendors' plugins: found by their entry point, loaded one by one, called through a typed facade."""

from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import LoadedBackends, load_backends, survey_backends
from kgb_core.plugins.selection import selected, selected_from

__all__ = ["Backend", "LoadedBackends", "load_backends", "selected", "selected_from", "survey_backends"]
