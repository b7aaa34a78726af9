"""NVIDIA GPUs for KGB: discovery by NVML, device events, stock Triton."""

from kgb_backend_nvidia.plugin import NvidiaBackend

__all__ = ["NvidiaBackend"]
