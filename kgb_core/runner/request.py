"""What a run is asked to do, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from kgb_core.models.case import Tier
from kgb_core.plugins.interpreter import Interpreter
from kgb_core.worker.sandbox import Sandbox


class DeviceStrings(str, Enum):
    """What happens to device names in a candidate's source."""

    AUTO = "auto"
    """Translated on a device without hardware of its own, strict elsewhere."""
    TRANSLATE = "translate"
    STRICT = "strict"


@dataclass(frozen=True)
class RunRequest:
    """A run.

    Attributes:
        packs: directories or files with candidates.
        suite: which operators.
        operators: narrows the suite; with a single file, what it is for.
        tier: which cases.
        backends: named backends; empty takes the one that the probes find.
        devices: `vendor:index`; empty takes all.
        seed: of everything random; secret until the bundle is written.
        jobs: candidates judged at once on one device; `None` chooses.
        seconds: limit for one candidate on one device, per stage.
        time_seconds: measuring budget of one perf case.
        sandbox: how workers are confined.
        device_strings: see `DeviceStrings`.
        arguments: the command line, for the manifest.
        interpreters: what a backend's workers run under, by its name, where it isn't what `kgb` runs under.
        conformance: records of the backends' conformance, where they don't bring their own along.
    """

    packs: tuple[Path, ...]
    suite: str
    operators: tuple[str, ...]
    tier: Tier
    backends: tuple[str, ...]
    devices: tuple[str, ...]
    seed: int
    jobs: int | None
    seconds: float
    time_seconds: float
    sandbox: Sandbox
    device_strings: DeviceStrings
    arguments: tuple[str, ...]
    interpreters: Mapping[str, Interpreter] = field(default_factory=dict)
    conformance: tuple[Path, ...] = ()
