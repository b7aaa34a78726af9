"""The metax backend as it is installed, recorded outputs, and a tool that prints them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_metax import mxsml
from kgb_backend_metax.reading import Reading
from kgb_core.plugins import Backend, load_backends
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
recordings = recordings_fixture(
    [
        Recording.of_files(
            "mx-smi", DATA, {"-L": "recorded_list_2.2.9.txt", "": "recorded_c500_2.2.9.txt"}, devices=3
        ),
        Recording.of_files(
            "mx-smi", DATA, {"-L": "hand_made_error.txt", "": "recorded_c550_2.1.6.txt"}, devices=8
        ),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["metax"]).get("metax")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@pytest.fixture
def smi_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts an `mx-smi` into PATH that prints files of `data/`, on a machine without MXSML."""
    monkeypatch.setattr(mxsml, "read", lambda: Reading(mxsml.SOURCE, problem="no MXSML here"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    for name in ("CUDA_VISIBLE_DEVICES", "MACA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)

    def install(table: str = "", listing: str = "", rc: int = 0, name: str = "mx-smi") -> None:
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\ncase "$*" in\n-L) {_print(listing)};;\n*) {_print(table)};;\nesac\nexit {rc}\n'
        )
        program.chmod(0o755)

    return install


def _print(name: str) -> str:
    return f"cat '{DATA / name}'" if name else ":"
