"""The manifest of a merged bundle: which runs lie in it, and the hash of every file."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Tier
from kgb_core.models.plan import SuiteRef

MERGED_SCHEMA: Final = "kgb.merged/1"


class MergedRun(FrozenModel):
    """One run of a merged bundle; it lies in `runs/<run>`, a bundle of its own."""

    run: str = Field(pattern=r"^[0-9A-Za-z_][0-9A-Za-z_.+-]{0,199}$")
    """It also names the directory."""
    suite: SuiteRef
    seed: int
    tier: Tier
    core: str | None
    """Version of kgb-core; `None` of an interrupted run."""
    planned: int
    records: int
    finished: bool
    synthetic: bool = False
    """A program made the records up."""
    rejudged: bool = False
    """The verdicts were derived from another run's measurements."""


class Merged(FrozenModel):
    """Written last. The same runs give the same manifest, byte for byte, whatever the order of merging."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.merged/1"] = Field(default=MERGED_SCHEMA, alias="schema")
    runs: tuple[MergedRun, ...]
    """Sorted by their ids."""
    files: dict[str, str]
    """sha256 of every other file, by its path inside."""
