"""The lines of an append-only file, of which a crash may have torn the last one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lines:
    """The complete lines of a file, and what a crash left behind them."""

    complete: list[bytes]
    torn: bytes
    """Bytes after the last newline; a line counts only when its newline is there."""


def read_lines(path: Path) -> Lines:
    """Read a file of lines; one that doesn't exist has none."""
    content = path.read_bytes() if path.exists() else b""
    *complete, torn = content.split(b"\n")
    return Lines(complete, torn)


def repair_torn_tail(path: Path) -> int:
    """Cut a torn last line off, so that what is appended next begins a line of its own.

    The caller holds the bundle's lock.

    Returns:
        The number of bytes cut.
    """
    torn = len(read_lines(path).torn)
    if torn:
        with path.open("r+b") as stream:
            stream.truncate(path.stat().st_size - torn)
            os.fsync(stream.fileno())
    return torn
