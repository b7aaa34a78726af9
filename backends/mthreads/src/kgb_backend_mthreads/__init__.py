"""Moore Threads GPUs for KGB: discovery by MTML or mthreads-gmi, MUSA events, the vendor's Triton."""

from kgb_backend_mthreads.plugin import MthreadsBackend

__all__ = ["MthreadsBackend"]
