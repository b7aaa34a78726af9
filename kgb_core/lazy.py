"""torch, imported when first touched: listing operators must not cost the seconds that torch takes."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING


def lazy_module(name: str) -> ModuleType:
    """A module that is imported at its first attribute access.

    Raises:
        ModuleNotFoundError: at the first access, when it is not installed.
    """
    if name in sys.modules:
        return sys.modules[name]
    return _Lazy(name)


class _Lazy(ModuleType):
    def __getattr__(self, attribute: str) -> object:
        return getattr(importlib.import_module(self.__name__), attribute)


if TYPE_CHECKING:
    import torch
else:
    torch = lazy_module("torch")

__all__ = ["lazy_module", "torch"]
