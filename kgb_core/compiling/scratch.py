"""A place of its own for one compilation: an empty cache, and what the compiler wrote to standard error."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_VARIABLE = "TRITON_CACHE_DIR"


@dataclass(frozen=True)
class Scratch:
    """Where one compilation leaves its artefacts and its log.

    Attributes:
        cache: Triton's cache directory, empty at first, so nothing comes from an earlier compilation.
        log: the file that standard error goes to.
    """

    cache: Path
    log: Path

    def artefacts(self) -> dict[str, bytes]:
        """What the compiler stored, by file extension: also what it stored before it failed."""
        files = [path for path in self.cache.rglob("*") if path.is_file() and not _is_internal(path.name)]
        return {path.suffix[1:]: path.read_bytes() for path in files}

    def messages(self) -> str:
        """What the compiler wrote to standard error so far."""
        return self.log.read_text(errors="replace")


def _is_internal(name: str) -> bool:
    """True for Triton's own list of a group's files, and for a file that it was still writing."""
    return name.startswith("__grp__") or ".tmp" in name


@contextmanager
def scratch() -> Iterator[Scratch]:
    """Compile inside the block with an empty cache; a failure's artefacts and messages are in it too."""
    with tempfile.TemporaryDirectory(prefix="kgb-compile-") as directory:
        place = Scratch(Path(directory, "cache"), Path(directory, "log"))
        place.cache.mkdir()
        with _cache_at(place.cache), _errors_to(place.log):
            yield place


@contextmanager
def _cache_at(directory: Path) -> Iterator[None]:
    """Every version of Triton reads this variable when it looks for its cache."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(directory)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


@contextmanager
def _errors_to(log: Path) -> Iterator[None]:
    """Compilers report through C++, past `sys.stderr`, so the descriptor itself is turned."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with log.open("wb") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)
