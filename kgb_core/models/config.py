"""What `kgb.toml` says: facts of a machine that a command line should not have to repeat."""

from __future__ import annotations

from pydantic import Field

from kgb_core.models.base import FrozenModel


class Environment(FrozenModel):
    """Where a backend's workers run."""

    python: str = Field(min_length=1)
    """An interpreter with the vendor's own torch and Triton; relative to the file, and `~` is the home."""


class Config(FrozenModel):
    """The whole file."""

    environments: dict[str, Environment] = {}
    """By the name of a backend; one that is not named runs where `kgb` runs."""
