"""Driver, toolkit and torch_musa versions for the manifest."""

from __future__ import annotations

from kgb_backend_mthreads import stack
from kgb_backend_mthreads.discovery import read


def versions() -> dict[str, str]:
    """What is known of them."""
    found = {"driver": read().driver, "torch_musa": stack.torch_musa_version()}
    known = {name: text for name, text in found.items() if text}
    return known | stack.toolkit_versions(stack.toolkit())
