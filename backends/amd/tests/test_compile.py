"""Stock Triton compiles for AMD's architectures without a GPU, and what can't launch is refused."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch, Stage
from kgb_core.plugins import Backend

KERNELS = Path(__file__).with_name("kernels") / "gemm.py"


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_amd_gemm", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def compiled(backend: Backend, launch: Launch, arch: str) -> CompileOutcome:
    """What compiling gives for the target of that name."""
    return backend.compile(launch, target(backend, arch))


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


def product(
    kernels: ModuleType, size: int, stages: int, kind: str = "fp16", precision: str = "ieee"
) -> Launch:
    """A launch of the product with blocks of that size."""
    pointers = {"a": f"*{kind}", "b": f"*{kind}", "c": "*fp32"}
    return Launch(
        kernels.product,
        signature={**pointers, "depth": "i32", "SIZE": "constexpr", "PRECISION": "constexpr"},
        constants={"SIZE": size, "PRECISION": precision},
        attributes={**dict.fromkeys(pointers, 16), "depth": 16},
        options={"num_warps": 8, "num_stages": stages},
    )


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942", "gfx950", "mi300x"])
def test_a_kernel_compiles_to_amdgcn_and_hsaco(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = compiled(backend, add(kernels), arch)
    assert (found.stage, found.error, found.kernel) == (Stage.BINARY, "", "add")
    assert str(target(backend, arch).triton_arch) in found.artefacts["amdgcn"].decode().splitlines()[0]
    assert found.artefacts["hsaco"].startswith(b"\x7fELF")
    assert (found.resources.threads_per_block, found.resources.shared_memory_bytes) == (256, 0)
    assert {"ttir", "ttgir", "llir"} <= set(found.artefacts)


@pytest.mark.parametrize("arch", ["gfx1100", "gfx1101", "gfx1151", "gfx1200", "gfx1201"])
def test_rdna_has_waves_of_32(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = compiled(backend, add(kernels), arch)
    assert (found.stage, found.error) == (Stage.BINARY, "")
    assert found.resources.threads_per_block == 128
    assert b".wavefront_size: 32" in found.artefacts["amdgcn"]


def test_cdna_has_waves_of_64(backend: Backend, kernels: ModuleType) -> None:
    assert b".wavefront_size: 64" in compiled(backend, add(kernels), "gfx942").artefacts["amdgcn"]


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942"])
def test_too_much_lds_is_told_with_both_numbers(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = compiled(backend, product(kernels, size=128, stages=3), arch)
    (excess,) = found.excesses
    assert found.stage is Stage.BINARY
    assert excess.needed == found.resources.shared_memory_bytes
    assert excess.needed > 65536
    assert found.error == f"out of resources: shared memory {excess.needed} bytes, limit 65536"


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942"])
def test_the_same_kernel_fits_with_fewer_stages(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = compiled(backend, product(kernels, size=128, stages=2), arch)
    assert (found.error, found.resources.shared_memory_bytes) == ("", 65536)


def test_a_chip_with_more_lds_takes_it(backend: Backend, kernels: ModuleType) -> None:
    found = compiled(backend, product(kernels, size=128, stages=2), "gfx950")
    assert found.error == ""
    assert found.resources.shared_memory_bytes is not None
    assert 65536 < found.resources.shared_memory_bytes <= 160 * 2**10


@pytest.mark.parametrize(
    ("arch", "warps", "error"),
    [
        ("gfx942", 16, ""),
        ("gfx942", 32, "out of resources: block size 2048 threads, limit 1024"),
        ("gfx1100", 32, ""),
    ],
)
def test_warps_are_counted_in_threads(
    backend: Backend, kernels: ModuleType, arch: str, warps: int, error: str
) -> None:
    assert compiled(backend, add(kernels, num_warps=warps), arch).error == error


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx950"])
def test_fp8_is_converted_everywhere(backend: Backend, kernels: ModuleType, arch: str) -> None:
    signature = {"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"}
    found = compiled(backend, Launch(kernels.narrow, signature, {"BLOCK": 128}), arch)
    assert (found.stage, found.error) == (Stage.BINARY, "")


@pytest.mark.parametrize(("arch", "accepts"), [("gfx942", True), ("gfx90a", False), ("gfx950", False)])
def test_tf32_is_refused_but_on_one_architecture(
    backend: Backend, kernels: ModuleType, arch: str, accepts: bool
) -> None:
    found = compiled(backend, product(kernels, 32, 1, kind="fp32", precision="tf32"), arch)
    assert (found.error == "") is accepts
    assert ("tf32" in backend.prompt_notes(target(backend, arch))) is True
    assert ('"tf32" is refused' in backend.prompt_notes(target(backend, arch))) is not accepts


def test_an_error_in_a_kernel_is_an_outcome(backend: Backend, kernels: ModuleType) -> None:
    launch = Launch(kernels.undefined, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = compiled(backend, launch, "gfx942")
    assert (found.stage, found.artefacts) == (Stage.NOTHING, {})
    assert "nowhere is not defined" in found.error


def test_a_triton_that_lacks_its_linker_goes_as_far_as_ttir(
    backend: Backend, kernels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Triton 3.2 has this function and raises in it; 3.9 has its own linker."""
    from triton.backends.amd.compiler import HIPBackend

    def absent() -> None:
        raise Exception("ROCm linker not found")

    monkeypatch.setattr(HIPBackend, "path_to_rocm_lld", staticmethod(absent), raising=False)
    found = compiled(backend, add(kernels), "gfx942")
    assert (found.stage, found.error) == (Stage.TTIR, "")
    assert found.note.endswith("ROCm linker not found")
