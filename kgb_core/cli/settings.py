"""What the options before the verb say, for every verb."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass
class Settings:
    """Filled when the command line is parsed; the border reads it when something goes wrong."""

    debug: bool = False
    """Show tracebacks."""
    verbose: bool = False
    """Show the log from level INFO on."""
    config: Path | None = None
    """The configuration file; `None`: the nearest `kgb.toml`."""
