"""A candidate kernel: a source file that claims to be an operator."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel


class Candidate(FrozenModel):
    """One file to judge against one operator."""

    operator: str
    name: str
    """The sample's name: the file's stem."""
    source: str
    """The module's text, as extracted."""
    sha256: str
    pack: str
    """The pack's name."""
    path: str
    """Where it was read from; for messages only."""
