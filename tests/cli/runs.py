"""A command line in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def kgb(*arguments: str, cwd: Path, timeout: float = 280) -> subprocess.CompletedProcess[str]:
    """Run `kgb`.

    Args:
        arguments: what follows `kgb`.
        cwd: where.
        timeout: seconds.
    """
    argv = [sys.executable, "-m", "kgb_core.cli", *arguments]
    return subprocess.run(argv, capture_output=True, text=True, timeout=timeout, check=False, cwd=cwd)
