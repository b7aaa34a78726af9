"""Versions that every record wants, read without importing the packages that they are about."""

from __future__ import annotations

import platform
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version

from kgb_core.version import __version__

STACK = ("torch", "triton")


def core_environment() -> dict[str, str]:
    """Versions of the operating system, Python, kgb-core, torch and triton; what is absent is left out."""
    found = {
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "kgb-core": __version__,
    }
    return found | {name: text for name in STACK if (text := module_version(name))}


def module_version(module: str) -> str | None:
    """The version of an importable module.

    Vendors ship `triton` in distributions of other names, so the distribution that provides the module is
    looked up, and named where it is another.

    Args:
        module: a top-level module.
    """
    imported = getattr(sys.modules.get(module), "__version__", None)
    if imported is not None:
        return str(imported)
    providers = _providers().get(module, [])
    if not providers:
        return None
    return ", ".join(_described(module, provider) for provider in dict.fromkeys(providers))


@lru_cache(maxsize=1)
def _providers() -> dict[str, list[str]]:
    return {name: list(distributions) for name, distributions in packages_distributions().items()}


def _described(module: str, distribution: str) -> str:
    try:
        found = version(distribution)
    except PackageNotFoundError:
        found = "?"
    return found if distribution == module else f"{found} ({distribution})"
