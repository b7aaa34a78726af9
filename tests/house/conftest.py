"""The tree that the house rules are checked on: what is in git, and what could be added to it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Tree:
    """A set of files below a root.

    Attributes:
        root: an absolute directory.
        files: paths relative to it, sorted.
    """

    root: Path
    files: tuple[Path, ...]

    def text(self, file: Path) -> str:
        """The contents of a file."""
        return (self.root / file).read_text(encoding="utf-8")

    def texts(self) -> list[Path]:
        """The files that are UTF-8 text."""
        return [file for file in self.files if b"\0" not in (self.root / file).read_bytes()]

    def python(self, *folders: str) -> list[Path]:
        """The modules below some folders (all without any), those in a `tests` folder left out."""
        return [file for file in self.below(*folders) if file.suffix == ".py" and "tests" not in file.parts]

    def below(self, *folders: str) -> list[Path]:
        """The files below some folders; all files when none is named."""
        return [file for file in self.files if not folders or file.parts[0] in folders]


@pytest.fixture(scope="session")
def tree() -> Tree:
    """The files of this repository, committed or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = {Path(name) for name in listed.split("\0") if name}
    files = tuple(sorted(file for file in found if (ROOT / file).is_file()))
    assert files, "git lists no file, so no rule would be checked"
    return Tree(ROOT, files)


@pytest.fixture
def planted(tmp_path: Path) -> PlantedTree:
    """Makes trees with a fault in them, to see that a rule sees it."""
    return PlantedTree(tmp_path)


@dataclass(frozen=True)
class PlantedTree:
    """Writes files into a scratch directory and hands them back as a tree."""

    root: Path

    def __call__(self, files: dict[str, str]) -> Tree:
        """A tree of these files, by relative path."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Tree(self.root, self._sorted(list(files)))

    @staticmethod
    def _sorted(names: Sequence[str]) -> tuple[Path, ...]:
        return tuple(sorted(Path(name) for name in names))
