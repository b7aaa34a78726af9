"""A PATH in which nothing but one vendor's tool is found, and that tool says what it is told to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kgb_core.testing.recordings import Recording, install


class Tools:
    """A PATH with nothing but one vendor's tool in it.

    Args:
        root: where it is made.
        monkeypatch: sets PATH.
        visibility: the variable that would hide devices; it is unset.
    """

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, visibility: str | None) -> None:
        self._root = root
        self._monkeypatch = monkeypatch
        self._visibility = visibility

    @contextmanager
    def saying(self, recording: Recording | None) -> Iterator[None]:
        """Inside, PATH has the tool of a recording and no other program; none at all without one."""
        folder = self._root / "tools"
        folder.mkdir()
        if recording is not None:
            install(recording, folder)
        try:
            with self._monkeypatch.context() as patch:
                patch.setenv("PATH", str(folder))
                if self._visibility is not None:
                    patch.delenv(self._visibility, raising=False)
                yield
        finally:
            shutil.rmtree(folder)
