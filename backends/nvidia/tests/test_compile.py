"""Stock Triton compiles for NVIDIA's architectures without a GPU, and what can't launch is refused."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_core.errors import UsageError
from kgb_core.models import Target
from kgb_core.models.launch import Launch, Stage
from kgb_core.plugins import Backend

KERNELS = Path(__file__).with_name("kernels") / "gemm.py"


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_nvidia_gemm", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


def add(kernels: ModuleType, **options: Any) -> Launch:
    """A launch of the sum."""
    pointers = dict.fromkeys(("x", "y", "out"), "*fp32")
    return Launch(
        kernels.add,
        signature={**pointers, "n": "i32", "BLOCK": "constexpr"},
        constants={"BLOCK": 1024},
        attributes={**dict.fromkeys(pointers, 16), "n": 16},
        options=options,
    )


def matmul(kernels: ModuleType, size: int, stages: int) -> Launch:
    """A launch of the product with blocks of that size."""
    pointers = dict.fromkeys(("a", "b", "c"), "*fp16")
    return Launch(
        kernels.matmul,
        signature={**pointers, "k": "i32", "SIZE": "constexpr"},
        constants={"SIZE": size},
        attributes={**dict.fromkeys(pointers, 16), "k": 16},
        options={"num_warps": 8, "num_stages": stages},
    )


@pytest.mark.parametrize("arch", ["sm80", "sm90"])
def test_a_kernel_compiles_to_ptx_and_cubin(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = backend.compile(add(kernels), target(backend, arch))
    assert (found.stage, found.error, found.kernel) == (Stage.BINARY, "", "add")
    assert f".target sm_{arch[2:]}".encode() in found.artefacts["ptx"]
    assert found.artefacts["cubin"].startswith(b"\x7fELF")
    assert found.resources.threads_per_block == 128
    assert found.resources.shared_memory_bytes == 0
    assert found.nanoseconds > 0
    assert {"ttir", "ttgir", "llir"} <= set(found.artefacts)


def test_attributes_reach_the_compiler(backend: Backend, kernels: ModuleType) -> None:
    plain = add(kernels)
    unaligned = Launch(plain.function, plain.signature, plain.constants)
    with_hints, without = (backend.compile(launch, target(backend, "sm80")) for launch in (plain, unaligned))
    assert b"ld.global.v4" in with_hints.artefacts["ptx"]
    assert b"ld.global.v4" not in without.artefacts["ptx"]


def test_too_much_shared_memory_is_told_with_both_numbers(backend: Backend, kernels: ModuleType) -> None:
    launch = matmul(kernels, size=128, stages=4)
    found = backend.compile(launch, target(backend, "sm89"))
    (excess,) = found.excesses
    assert found.stage is Stage.BINARY
    assert found.error == f"out of resources: shared memory {excess.needed} bytes, limit 101376"
    assert excess.needed > 101376


def test_the_same_kernel_fits_with_fewer_stages(backend: Backend, kernels: ModuleType) -> None:
    found = backend.compile(matmul(kernels, size=64, stages=2), target(backend, "sm89"))
    assert found.error == ""
    assert found.resources.shared_memory_bytes is not None
    assert 0 < found.resources.shared_memory_bytes <= 101376


def test_too_many_warps_are_refused(backend: Backend, kernels: ModuleType) -> None:
    found = backend.compile(add(kernels, num_warps=64), target(backend, "sm90"))
    assert found.error == "out of resources: block size 2048 threads, limit 1024"


def test_what_an_architecture_lacks_is_the_compilers_error(backend: Backend, kernels: ModuleType) -> None:
    launch = Launch(
        kernels.fp8,
        {"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"},
        {"BLOCK": 128},
        options={"num_warps": 4},
    )
    old, new = (backend.compile(launch, target(backend, arch)) for arch in ("sm80", "sm90"))
    assert old.stage is Stage.NOTHING
    assert "fp8e4nv not supported" in old.error
    assert new.error == ""


def test_an_error_in_a_kernel_is_an_outcome(backend: Backend, kernels: ModuleType) -> None:
    launch = Launch(kernels.undefined, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = backend.compile(launch, target(backend, "sm90"))
    assert found.stage is Stage.NOTHING
    assert found.error.startswith("CompilationError: ")
    assert "nowhere is not defined" in found.error
    assert found.artefacts == {}


def test_compiling_leaves_the_cache_setting_as_it_was(
    backend: Backend, kernels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    backend.compile(add(kernels), target(backend, "sm90"))
    assert os.environ["TRITON_CACHE_DIR"] == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


INTERPRETED = """
import importlib.util
from kgb_core.plugins import load_backends
from kgb_core.models.launch import Launch
spec = importlib.util.spec_from_file_location("gemm", {path!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
backend = load_backends(["nvidia"]).get("nvidia")
backend.compile(Launch(module.add, {{}}, {{}}), backend.targets()[0])
"""


def test_an_interpreted_kernel_can_not_be_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED.format(path=str(KERNELS))],
        capture_output=True,
        check=False,
        env={**os.environ, "TRITON_INTERPRET": "1"},
        text=True,
    )
    assert "it was decorated while TRITON_INTERPRET was set" in done.stderr


def test_a_target_without_a_compiler_is_a_usage_error(kernels: ModuleType) -> None:
    from kgb_core.compiling.stock import compile_launch

    with pytest.raises(UsageError, match="can't be compiled for"):
        compile_launch(add(kernels), Target(vendor="nvidia", arch="sm1"))
