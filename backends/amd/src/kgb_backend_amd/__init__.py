"""AMD GPUs for KGB: discovery by AMD SMI, device events, stock Triton."""

from kgb_backend_amd.plugin import AmdBackend

__all__ = ["AmdBackend"]
