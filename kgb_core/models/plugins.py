"""What became of every installed backend: the load report, as data."""

from __future__ import annotations

from enum import Enum

from kgb_core.models.base import FrozenModel


class LoadState(str, Enum):
    """How far a backend got; the docstring of each member says what stopped it."""

    LOADED = "loaded"
    DISABLED = "disabled"
    """Installed and not selected; never imported."""
    INCOMPATIBLE = "incompatible"
    """Made for another version of the core or of the hooks."""
    CONFLICT = "conflict"
    """Two distributions claim the same name; neither was imported."""
    INVALID = "invalid"
    """It has a hook that the core doesn't know or can't call, or its answers have the wrong type."""
    INCOMPLETE = "incomplete"
    """A required hook is missing."""
    FAILED = "failed"
    """Importing it, or making its object, raised."""


class PluginEntry(FrozenModel):
    """One installed backend and what became of it."""

    name: str
    """The name of its entry point, which is the vendor id."""
    distribution: str
    version: str
    state: LoadState
    reason: str = ""
    """Why it is not loaded, in one line; empty when it is."""
    next_step: str = ""
    """What to do about it; empty when there is nothing to do."""
    hooks: tuple[str, ...] = ()
    """The hooks that it implements; known only for what was loaded."""


class LoadReport(FrozenModel):
    """Every installed backend, by name and then by distribution."""

    entries: tuple[PluginEntry, ...] = ()

    def of(self, name: str) -> tuple[PluginEntry, ...]:
        """The entries of one name: none, one, or all the parties of a conflict."""
        return tuple(entry for entry in self.entries if entry.name == name)

    def names(self) -> tuple[str, ...]:
        """Every installed name once, sorted."""
        return tuple(sorted({entry.name for entry in self.entries}))
