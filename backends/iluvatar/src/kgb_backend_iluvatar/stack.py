"""Which torch and Triton are installed, by the metadata of their distributions.

CoreX's wheels are marked there (`2.7.1+corex.4.4.0`); the modules' own `__version__` is bare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions

_COREX = re.compile(r"corex\.?([0-9][0-9.]*[0-9])?|iluvatar", re.IGNORECASE)
_PROVIDERS = {"torch": ("torch",), "triton": ("triton", "flagtree")}
"""Distributions that a module may come from. FlagTree's wheel for Iluvatar brings the module `triton`."""


@dataclass(frozen=True)
class Build:
    """An installed package.

    Attributes:
        distribution: its distribution.
        version: the version of that.
    """

    distribution: str
    version: str

    @property
    def is_corex(self) -> bool:
        """True for a build for Iluvatar's chips."""
        return _COREX.search(self.version) is not None

    @property
    def corex(self) -> str | None:
        """The version of CoreX that it was built for, `4.4.0`."""
        match = _COREX.search(self.version)
        return match[1] if match else None


def installed(module: str) -> Build | None:
    """The build of a module; CoreX's own where there are two, `None` without one.

    Args:
        module: `torch` or `triton`.
    """
    found = list(_builds(_PROVIDERS[module]))
    return next((build for build in found if build.is_corex), found[0] if found else None)


def _builds(names: tuple[str, ...]) -> Iterator[Build]:
    for name in names:
        for distribution in distributions(name=name):
            yield Build(name, _version(distribution))


def _version(distribution: Distribution) -> str:
    """The version; half-removed distributions have none."""
    return str(distribution.metadata["Version"] or "?")
