"""A kernel pack on disk: a directory of kernel files, or one file, with what `pack.toml` says of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgb_core.errors import NothingSelectedError, UsageError
from kgb_core.models.pack import PackInfo
from kgb_core.toml import read_toml

PACK_FILE = "pack.toml"
SEPARATOR = "__"
"""Between source and operator in a file's name: `aten__softmax.py`."""
MAX_BYTES = 4 * 2**20
"""Larger files are not read: no kernel is that long, and a pack may be anything."""
_ANSWER_SUFFIXES = frozenset({".md", ".txt"})


@dataclass(frozen=True)
class KernelFile:
    """One file of a pack, as read."""

    path: Path
    relative: str
    """Inside the pack, with forward slashes."""
    operator: str
    """What the place in the pack says: `aten::softmax`, or a bare name where no source is given."""
    text: str
    unreadable: str = ""
    """Why there is no text."""

    @property
    def sample(self) -> str:
        """The name of the sample: the file's stem."""
        return self.path.stem


@dataclass(frozen=True)
class Pack:
    """A pack with every file that could be a kernel."""

    info: PackInfo
    root: Path
    files: tuple[KernelFile, ...]


def load_pack(path: Path | str) -> Pack:
    """Read a pack directory, or a single file as a pack of its own.

    In a directory `<source>__<operator>.py` and `<source>__<operator>/<sample>.py` are kernels; every other
    Python file is read too, so that it can be reported. Names that begin with a dot or two underscores are
    passed over.

    Raises:
        UsageError: nothing is at the path, or `pack.toml` is wrong.
        NothingSelectedError: the directory has no file that could be a kernel.
    """
    root = Path(path)
    if root.is_file():
        return Pack(pack_info(root), root, (_read(root, root.name, _operator_of_file(root)),))
    if not root.is_dir():
        raise UsageError(f"no file or directory {root}", hint="give a kernel file or the directory of a pack")
    files = tuple(_read(root / place, place.as_posix(), _operator(place)) for place in _walk(root))
    if not files:
        raise NothingSelectedError(
            f"{root} has no kernels", "it contains no Python file", "name them <source>__<operator>.py"
        )
    return Pack(_read_info(root), root, files)


def pack_info(path: Path) -> PackInfo:
    """What is said of the pack at a path: in its `pack.toml`, else its name alone.

    Raises:
        UsageError: `pack.toml` is wrong.
    """
    return PackInfo(name=path.stem) if path.is_file() else _read_info(path)


def _walk(root: Path) -> Iterator[Path]:
    for directory, folders, names in os.walk(root):
        folders[:] = sorted(folder for folder in folders if not folder.startswith((".", "__")))
        for name in sorted(names):
            relative = (Path(directory) / name).relative_to(root)
            if not name.startswith((".", "__")) and _may_be_kernel(relative):
                yield relative


def _may_be_kernel(relative: Path) -> bool:
    if relative.suffix == ".py":
        return True
    return relative.suffix in _ANSWER_SUFFIXES and "::" in _operator(relative)


def _operator(relative: Path) -> str:
    """The operator that a file's place in a pack names: its folder's, or its own where that names none."""
    folder = relative.parent.name
    return _named(folder) if "::" in _named(folder) else _named(relative.stem)


def _operator_of_file(path: Path) -> str:
    """The same for a file alone, whose folder counts only where its own name says nothing."""
    stem, folder = _named(path.stem), _named(path.resolve().parent.name)
    return folder if "::" in folder and "::" not in stem else stem


def _named(name: str) -> str:
    source, separator, entry = name.partition(SEPARATOR)
    return f"{source}::{entry}" if source and separator and entry else name


def _read(path: Path, relative: str, operator: str) -> KernelFile:
    text, unreadable = "", ""
    try:
        if not path.is_file():
            unreadable = "not a regular file"
        elif path.stat().st_size > MAX_BYTES:
            unreadable = f"larger than {MAX_BYTES // 2**20} MiB"
        else:
            text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        unreadable = f"not UTF-8: {error.reason} at byte {error.start}"
    except OSError as error:
        unreadable = error.strerror or str(error)
    return KernelFile(path, relative, operator, text, unreadable)


def _read_info(root: Path) -> PackInfo:
    file = root / PACK_FILE
    if not file.is_file():
        return PackInfo(name=root.resolve().name)
    return read_toml(file, PackInfo, name=root.resolve().name)
