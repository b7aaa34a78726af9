"""Writing files so that each is either whole or absent, and hashing them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_CHUNK = 2**20


def write_whole(path: Path, content: str) -> None:
    """Write a file through a temporary one beside it, flushed to the disk before it gets its name."""
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
    sync_directory(path.parent)


def remove_temporary(root: Path) -> None:
    """Remove what a crash in `write_whole` left below a directory."""
    for path in root.rglob(".*.tmp"):
        path.unlink()


def sync_directory(path: Path) -> None:
    """Flush a directory, so that names made in it survive a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
