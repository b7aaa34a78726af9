"""Iluvatar CoreX GPUs for KGB: discovery by ixML and ixsmi, device events, CoreX's Triton."""

from kgb_backend_iluvatar.plugin import IluvatarBackend

__all__ = ["IluvatarBackend"]
