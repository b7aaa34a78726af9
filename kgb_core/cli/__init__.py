"""The command line: `kgb`, one file a verb, in the order of a day's work."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line that this process was started with, and exit with its code."""
    from kgb_core.cli.border import execute

    sys.exit(execute(sys.argv[1:]))
