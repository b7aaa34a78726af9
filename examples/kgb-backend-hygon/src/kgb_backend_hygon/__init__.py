"""Hygon for KGB."""

from kgb_backend_hygon.plugin import HygonBackend

__all__ = ["HygonBackend"]
