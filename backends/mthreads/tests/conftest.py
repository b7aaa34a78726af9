"""The mthreads backend as it is installed, recorded outputs, and a tool that prints them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_mthreads import mtml
from kgb_backend_mthreads.reading import Reading
from kgb_core.plugins import Backend, load_backends
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
recordings = recordings_fixture(
    [
        Recording.of_files(
            "mthreads-gmi", DATA, {"-q": "recorded_s90_query.txt", "": "recorded_s80_table.txt"}, devices=1
        ),
        Recording.of_files(
            "mthreads-gmi", DATA, {"-q": "recorded_no_device.txt", "": "recorded_s5000_table.txt"}, devices=8
        ),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["mthreads"]).get("mthreads")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@pytest.fixture
def gmi_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts an `mthreads-gmi` into PATH that prints files of `data/`, on a machine without MTML."""
    monkeypatch.setattr(mtml, "read", lambda: Reading(mtml.SOURCE, problem="no MTML here"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("MUSA_VISIBLE_DEVICES", raising=False)

    def install(query: str = "", table: str = "", rc: int = 0, name: str = "mthreads-gmi") -> None:
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\ncase "$*" in\n-q) {_print(query)};;\n*) {_print(table)};;\nesac\nexit {rc}\n'
        )
        program.chmod(0o755)

    return install


def _print(name: str) -> str:
    return f"cat '{DATA / name}'" if name else ":"
