"""Writing files so that each is either whole or absent, hashing and copying them."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kgb_core.errors import BundleError, UsageError
from kgb_core.results import layout

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


def require_place(path: Path) -> Path:
    """Where a report may be written: what a user names must not cost them a device, a link or a bundle.

    Args:
        path: of the file; a regular one that is there may be replaced.

    Returns:
        The path with links followed, so that a link stays one.

    Raises:
        UsageError: it names no file, something that is no regular file, or a file of a bundle.
    """
    place = path.resolve()
    if not path.name or (place.exists() and not place.is_file()):
        raise UsageError(f"can't write to {path}.", "it is no regular file", "give the path of a file")
    _require_outside(path)
    return place


def _require_outside(path: Path) -> None:
    """Refuse what lies inside a bundle: evidence stays as it was closed."""
    inside = next((p for p in path.resolve().parents if (p / layout.RESULTS).exists()), None)
    if inside is not None:
        why = f"it lies in the bundle {inside}, which must stay as it was closed"
        raise UsageError(f"can't write to {path}.", why, "give a path outside")


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


def sha256_of(path: Path | str, length: int | None = None) -> str:
    """The sha256 of the first `length` bytes of a file, or of all, in hex."""
    digest = hashlib.sha256()
    for chunk in _chunks(path, length):
        digest.update(chunk)
    return digest.hexdigest()


def files_below(root: Path) -> dict[str, str]:
    """Every file below a directory: its whole path by its path inside, sorted."""
    start = len(os.path.join(root, ""))
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    return {path[start:].replace(os.sep, "/"): path for path in sorted(paths)}


def hash_files(root: Path) -> dict[str, str]:
    """sha256 of every file that a manifest lists, by its path inside the bundle, sorted."""
    return {
        inside: sha256_of(path) for inside, path in files_below(root).items() if inside not in layout.UNLISTED
    }


def copy_hashed(source: Path | str, target: Path | str, length: int | None = None) -> str:
    """Copy the first `length` bytes of a file, or all, and return their sha256 in hex."""
    digest = hashlib.sha256()
    with open(target, "wb") as writing:
        for chunk in _chunks(source, length):
            digest.update(chunk)
            writing.write(chunk)
    return digest.hexdigest()


def _chunks(path: Path | str, length: int | None) -> Iterator[bytes]:
    with open(path, "rb", buffering=0) as stream:
        left = os.fstat(stream.fileno()).st_size if length is None else length
        while left > 0 and (chunk := stream.read(min(left, _CHUNK))):
            yield chunk
            left -= len(chunk)


@contextmanager
def staged(out: Path) -> Iterator[Path]:
    """A directory beside `out` that gets its name when everything in it is written, and is gone otherwise.

    Raises:
        BundleError: something is at `out` already, or it can't be written.
        UsageError: `out` lies inside a bundle.
    """
    _require_outside(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BundleError(f"{out} is there already", hint="give another name, or remove it")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".part", dir=out.parent))
    except OSError as error:
        raise BundleError(f"can't write to {out}", error.strerror or str(error)) from error
    try:
        yield stage
        stage.chmod(0o755)
        os.sync()  # one flush of everything: thousands of small files flushed one by one take minutes
        stage.replace(out)
        sync_directory(out.parent)
    except OSError as error:
        raise BundleError(f"can't write to {out}", error.strerror or str(error)) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
