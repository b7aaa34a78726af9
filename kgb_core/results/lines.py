"""The lines of an append-only file, read as a stream; a crash may have torn the last one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BUFFER = 1 << 20
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Line:
    """A complete line."""

    number: int
    """From 1."""
    offset: int
    """Of its first byte in the file."""
    content: bytes
    """Without the newline."""


def stream_lines(path: Path) -> Iterator[Line]:
    """The complete lines of a file; one that doesn't exist has none.

    A line counts only when its newline is there, so a torn last line is left out.
    """
    if not path.exists():
        return
    offset = 0
    with path.open("rb", buffering=_BUFFER) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            yield Line(number, offset, line[:-1])
            offset += len(line)


def complete_bytes(path: Path) -> int:
    """The length of a file up to and with its last newline; 0 where the file doesn't exist."""
    if not path.exists():
        return 0
    with path.open("rb") as stream:
        end = stream.seek(0, os.SEEK_END)
        while end:
            begin = max(0, end - _CHUNK)
            stream.seek(begin)
            found = stream.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
    return 0


def torn_bytes(path: Path) -> int:
    """The length of what a crash left behind the last newline."""
    return path.stat().st_size - complete_bytes(path) if path.exists() else 0


def repair_torn_tail(path: Path) -> int:
    """Cut a torn last line off, so that what is appended next begins a line of its own.

    The caller holds the bundle's lock.

    Returns:
        The number of bytes cut.
    """
    torn = torn_bytes(path)
    if torn:
        with path.open("r+b") as stream:
            stream.truncate(path.stat().st_size - torn)
            os.fsync(stream.fileno())
    return torn
