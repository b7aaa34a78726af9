"""One line of `kgb doctor`: what was checked, what was found, how to mend it."""

from __future__ import annotations

from enum import Enum

from kgb_core.models.base import FrozenModel


class Health(str, Enum):
    """The state of one checked thing."""

    OK = "ok"
    NONE = "none"
    """Loaded, and no hardware here."""
    WARN = "warn"
    BROKEN = "broken"
    OFF = "off"
    """Installed and not selected."""


class DoctorCheck(FrozenModel):
    """A finding; `fix` is the exact next step and may be empty only when healthy."""

    name: str
    health: Health
    found: str
    fix: str = ""
