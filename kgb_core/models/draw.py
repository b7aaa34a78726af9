"""The calls that a random operator is judged by, and what each must show."""

from __future__ import annotations

from enum import Enum


class Draw(str, Enum):
    """One call of a random operator; all have the same arguments but for the generator's state."""

    FIRST = "first"
    """Its numbers are credible draws."""
    NEXT = "next"
    """The generator goes on: other numbers, independent of the first."""
    AGAIN = "again"
    """The generator has the first call's seed again: the same numbers."""
    OTHER = "other"
    """The generator has another seed: other numbers, independent of the first."""

    @property
    def independent(self) -> bool:
        """True where the numbers must have nothing to do with those of the first call."""
        return self in (Draw.NEXT, Draw.OTHER)
