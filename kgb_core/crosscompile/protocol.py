"""What crosses the line to a compiling worker: its settings, a request for each target, one answer each."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Case
from kgb_core.models.device import Target
from kgb_core.worker.sandbox import Sandbox


class Settings(FrozenModel):
    """How a worker starts; its only argument, as JSON."""

    channel: int
    """The descriptor of its end of the socket."""
    parent: int
    scratch: str
    sandbox: Sandbox
    memory_bytes: int | None = None


class Call(FrozenModel):
    """One call of the entry function."""

    case: Case
    positional: int
    """How many arguments go by position."""


class CompileRequest(FrozenModel):
    """Run the candidate's host code as if a chip were here, and compile what it launches."""

    path: str
    entry: str
    calls: tuple[Call, ...]
    target: Target
    keep: str = ""
    """The directory for artefacts, inside the scratch directory; empty: none are kept."""


class Ready(FrozenModel):
    """The worker has imported torch and Triton."""

    triton: str
