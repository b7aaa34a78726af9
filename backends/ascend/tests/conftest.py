"""The ascend backend as it is installed, recorded outputs, and a tool that prints them."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_backend_ascend import dcmi, stack
from kgb_backend_ascend.reading import Reading
from kgb_core.models.launch import CompileOutcome, Launch
from kgb_core.plugins import Backend, load_backends
from kgb_core.testing import Recording, recordings_fixture

DATA = Path(__file__).with_name("data")
KERNELS = Path(__file__).with_name("kernels") / "small.py"
FITTING = {
    "test_triton_ascend.py": stack.triton_backend() is not None,
    "test_ttir_only.py": stack.triton_backend() is None and importlib.util.find_spec("triton") is not None,
}
collect_ignore = [file for file, fits in FITTING.items() if not fits]
"""One of them fits the Triton that is installed: triton-ascend takes the place of stock Triton. Neither does
where the plugin is installed without any.
"""
recordings = recordings_fixture(
    [
        Recording.of_files(
            "npu-smi",
            DATA,
            {
                "info -m": "recorded_mapping_910b3.txt",
                "-t board": "recorded_board_a2.txt",
                "": "recorded_910b3_rows.txt",
            },
            devices=4,
        ),
        Recording.of_files(
            "npu-smi",
            DATA,
            {
                "info -m": "hand_made_mapping_a3.txt",
                "-t board": "recorded_board_a3.txt",
                "": "recorded_a3_26.0.rc2.txt",
            },
            devices=2,
        ),
        Recording.of_files(
            "npu-smi",
            DATA,
            {"info -m": "recorded_device_used.txt", "": "recorded_310p3_duo.txt"},
            devices=2,
        ),
    ]
)
"""What the conformance suite prints again, whole and damaged."""


@pytest.fixture(scope="session")
def backend() -> Backend:
    """The backend."""
    return load_backends(["ascend"]).get("ascend")


@pytest.fixture(scope="session")
def data() -> Callable[[str], str]:
    """Reads a file of `data/`."""
    return lambda name: (DATA / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Bench:
    """Makes launches of the kernels in `kernels/`, and compiles them for a target by its name.

    Attributes:
        backend: compiles.
        kernels: the module of the kernels.
    """

    backend: Backend
    kernels: ModuleType

    def add(self, block: int = 1024, grid: tuple[int, ...] = (1,), **options: Any) -> Launch:
        """A launch of the sum."""
        pointers = dict.fromkeys(("x", "y", "out"), "*fp32")
        return Launch(
            self.kernels.add,
            signature={**pointers, "n": "i32", "BLOCK": "constexpr"},
            constants={"BLOCK": block},
            attributes={**dict.fromkeys(pointers, 16), "n": 16},
            options=options,
            grid=grid,
        )

    def on(self, kernel: str, pointer: str = "*fp32") -> Launch:
        """A launch of a kernel that works on one vector."""
        function = getattr(self.kernels, kernel)
        return Launch(function, {"x": pointer, "BLOCK": "constexpr"}, {"BLOCK": 128})

    def product(self, dtype: str, precision: str) -> Launch:
        """A launch of the product."""
        signature = {**dict.fromkeys(("a", "b", "out"), dtype), "SIZE": "constexpr", "PRECISION": "constexpr"}
        return Launch(self.kernels.matmul, signature, {"SIZE": 64, "PRECISION": precision})

    def compiled(self, launch: Launch, arch: str = "Ascend910B3") -> CompileOutcome:
        """The launch, compiled for a target."""
        target = next(target for target in self.backend.targets() if target.arch == arch)
        return self.backend.compile(launch, target)


@pytest.fixture(scope="session")
def bench(backend: Backend) -> Bench:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_ascend_small", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return Bench(backend, module)


@pytest.fixture
def smi_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts an `npu-smi` into PATH that prints files of `data/`, on a machine without DCMI."""
    monkeypatch.setattr(dcmi, "read", lambda: Reading(dcmi.SOURCE, problem="no DCMI here"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("ASCEND_RT_VISIBLE_DEVICES", raising=False)

    def install(
        info: str = "", mapping: str = "", board: str = "", rc: int = 0, name: str = "npu-smi"
    ) -> None:
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\ncase "$*" in\n"info -m") {_print(mapping)};;\n"info -t board"*) {_print(board)};;\n'
            f"info) {_print(info)};;\nesac\nexit {rc}\n"
        )
        program.chmod(0o755)

    return install


def _print(name: str) -> str:
    return f"cat '{DATA / name}'" if name else ":"
