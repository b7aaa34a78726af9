"""Driver and CUDA versions for the manifest."""

from __future__ import annotations

import sys

from kgb_backend_nvidia.discovery import read


def versions() -> dict[str, str]:
    """The driver, the newest CUDA that it supports, and the CUDA of torch where that is imported."""
    answer = read()
    torch = sys.modules.get("torch")
    found = {
        "driver": answer.driver,
        "cuda_driver": answer.cuda,
        "cuda": getattr(getattr(torch, "version", None), "cuda", None),
    }
    return {name: str(version) for name, version in found.items() if version}
