"""The record that closes a bundle, and the record of the machine that made it."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Tier
from kgb_core.models.conformance import ConformanceRef
from kgb_core.models.device import Capabilities, Device
from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import SuiteRef
from kgb_core.models.plugins import PluginEntry
from kgb_core.models.record import BackendRef
from kgb_core.models.verdict import Verdict

MANIFEST_SCHEMA: Final = "kgb.manifest/2"
SYSTEM_SCHEMA: Final = "kgb.system/1"


class SystemDevice(FrozenModel):
    """A device that the run used, and what its backend says that it can do."""

    backend: BackendRef
    device: Device
    capabilities: Capabilities = Capabilities()


class System(FrozenModel):
    """The machine: what matters to a result and names nobody."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.system/1"] = Field(default=SYSTEM_SCHEMA, alias="schema")
    os: str
    """Kernel name, release and machine type."""
    python: str
    cpu_count: int
    memory_bytes: int | None = None
    devices: tuple[SystemDevice, ...] = ()
    environment: dict[str, dict[str, str]] = {}
    """Versions of driver, SDK, torch, compiler: by backend, then by name."""
    sandbox: str = ""
    """The level of isolation that the run had."""


class Rejudged(FrozenModel):
    """Where the verdicts of a bundle come from, when they are not those of the run that measured."""

    run: str
    """The run that measured."""
    manifest: str
    """sha256 of that bundle's manifest; empty where it has none."""
    reason: str
    """Why another tolerance was applied, in the words of whoever did."""


class Manifest(FrozenModel):
    """Written last. A bundle without it was interrupted, and can still be read and resumed."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.manifest/2"] = Field(default=MANIFEST_SCHEMA, alias="schema")
    run: str
    created: str
    """UTC, ISO 8601, like `finished`."""
    finished: str
    core: str
    """Version of kgb-core."""
    suite: SuiteRef
    seed: int
    tier: Tier
    planned: int
    counts: dict[Verdict, int]
    """Records by verdict; verdicts that did not occur are left out."""
    plugins: tuple[PluginEntry, ...] = ()
    """The load report when the run began."""
    environment: dict[str, dict[str, str]] = {}
    sandbox: str = ""
    arguments: tuple[str, ...] = ()
    """The command line, without the program."""
    synthetic: bool = False
    """A program made the records up; nothing was measured."""
    rejudged: Rejudged | None = None
    """Where the verdicts were derived from another bundle's measurements: which ones, and how."""
    conformance: tuple[ConformanceRef, ...] = ()
    """For each backend of the run, what its conformance record says."""
    packs: tuple[PackInfo, ...] = ()
    """What is said of the packs that were judged: tokens and cost, where their authors tell."""
    files: dict[str, str]
    """sha256 of every other file of the bundle, by its path inside."""
