"""The nvidia backend as it is installed, the recorded outputs, and tools that print them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_backend_nvidia import nvml
from kgb_backend_nvidia.reading import Reading
from kgb_core.plugins import Backend, load_backends
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
recordings = recordings_fixture(
    [
        Recording.of_files(
            "nvidia-smi",
            DATA,
            {
                "--query-gpu": "recorded_h200.csv",
                "-L": "recorded_h200_list.txt",
                "": "recorded_h200_header.txt",
            },
            devices=1,
        ),
        Recording.of_files("nvidia-smi", DATA, {"--query-gpu": "hand_made_several.csv"}, devices=4),
        Recording.of_files(
            "nvidia-smi",
            DATA,
            {"--query-gpu": "hand_made_mig.csv", "-L": "hand_made_mig_list.txt"},
            devices=4,
        ),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["nvidia"]).get("nvidia")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@pytest.fixture
def smi_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts an `nvidia-smi` into PATH that prints files of `data/`, on a machine without NVML."""
    monkeypatch.setattr(nvml, "read", lambda: Reading(nvml.SOURCE, problem="no NVML here"))

    def install(query: str = "", listing: str = "", header: str = "", rc: int = 0, old: bool = False) -> None:
        refuse = (
            "*compute_cap*) echo 'Field \"compute_cap\" is not a valid field to query.'; exit 2;;"
            if old
            else ""
        )
        program = tmp_path / "nvidia-smi"
        program.write_text(
            f"""#!/bin/sh
case "$*" in
{refuse}
*--query-gpu=*) {_print(query)};;
-L) {_print(listing)};;
*) {_print(header)};;
esac
exit {rc}
"""
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    return install


def _print(name: str) -> str:
    return f"cat '{DATA / name}'" if name else ":"
