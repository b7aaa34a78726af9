"""Driver and MACA versions for the manifest."""

from __future__ import annotations

from kgb_backend_metax import stack
from kgb_backend_metax.discovery import read


def versions() -> dict[str, str]:
    """The driver, the MACA that came with it, and the MACA toolkit in use."""
    answer = read()
    found = {
        "driver": answer.driver,
        "maca_driver": answer.maca,
        "maca": stack.toolkit_version(stack.toolkit()),
    }
    return {name: text for name, text in found.items() if text}
