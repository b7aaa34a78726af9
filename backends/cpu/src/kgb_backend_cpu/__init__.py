"""Triton's interpreter as a device: kernels run on the host, slowly, and are judged without a chip."""

from kgb_backend_cpu.plugin import CpuBackend

__all__ = ["CpuBackend"]
