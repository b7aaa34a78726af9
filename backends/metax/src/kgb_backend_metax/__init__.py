"""MetaX GPUs for KGB: discovery by MXSML or mx-smi, CUDA-like events, MetaX's Triton."""

from kgb_backend_metax.plugin import MetaxBackend

__all__ = ["MetaxBackend"]
