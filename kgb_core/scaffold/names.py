"""The names that a new backend goes by, all made of one, and what keeps a name from being used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kgb_core.errors import UsageError
from kgb_core.plugins.installed import Installed

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
RESERVED = frozenset({"core"})
"""The core's own answers to the hooks go by this name."""
_RULE = "it must be lower-case letters and digits, a letter first, with single underscores between"


@dataclass(frozen=True)
class Names:
    """One backend's names.

    Attributes:
        vendor: the id: of the entry point, in records, on the command line.
    """

    vendor: str

    @property
    def distribution(self) -> str:
        """What pip calls it: `kgb-backend-my-chip`."""
        return f"kgb-backend-{self.vendor.replace('_', '-')}"

    @property
    def module(self) -> str:
        """What Python imports: `kgb_backend_my_chip`."""
        return f"kgb_backend_{self.vendor}"

    @property
    def class_name(self) -> str:
        """The class behind the entry point: `MyChipBackend`."""
        return f"{self._words('')}Backend"

    @property
    def display_name(self) -> str:
        """What a person reads until the author writes something better: `My Chip`."""
        return self._words(" ")

    def _words(self, between: str) -> str:
        return between.join(word.capitalize() for word in self.vendor.split("_"))


def names_for(vendor: str, installed: Mapping[str, list[Installed]]) -> Names:
    """The names of a new backend.

    Args:
        vendor: the id that its author wants.
        installed: the backends that are here, by name.

    Raises:
        UsageError: it can't be the name of a package, is the core's, or another backend has it.
    """
    if _NAME.fullmatch(vendor) is None:
        raise UsageError(f"{vendor!r} can't be the name of a backend.", f"{_RULE}.", _instead(vendor))
    if vendor in RESERVED:
        raise UsageError(f"{vendor} can't be the name of a backend.", "the core uses it.", "choose another.")
    names = Names(vendor)
    for point in (point for points in installed.values() for point in points):
        if point.name == vendor or point.distribution == names.distribution:
            raise UsageError(
                f"there is a backend {vendor} already.",
                f"{point.distribution} {point.version} is installed here.",
                f"choose another name, or pip uninstall {point.distribution}.",
            )
    return names


def _instead(vendor: str) -> str:
    words = re.findall(r"[a-z0-9]+", vendor.lower())
    name = re.sub(r"^[0-9_]+", "", "_".join(words))
    return f"kgb new-backend {name}" if name else "kgb new-backend mychip"
