"""A launch goes as far as TTIR where the Triton of Iluvatar is not installed; the outcome says so."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_backend_iluvatar import compiling, stack
from kgb_backend_iluvatar.compiling import NOTE, vendor_target
from kgb_backend_iluvatar.stack import Build
from kgb_core.models import Target
from kgb_core.models.launch import Launch, Stage
from kgb_core.plugins import Backend

KERNELS = Path(__file__).with_name("kernels") / "gemm.py"


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_iluvatar_gemm", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def target(backend: Backend, arch: str) -> Target:
    """The target of that name."""
    return next(target for target in backend.targets() if target.arch == arch)


def add(kernels: ModuleType, grid: tuple[int, ...] = (1,), **options: Any) -> Launch:
    """A launch of the sum."""
    pointers = dict.fromkeys(("x", "y", "out"), "*fp32")
    return Launch(
        kernels.add,
        signature={**pointers, "n": "i32", "BLOCK": "constexpr"},
        constants={"BLOCK": 1024},
        attributes={**dict.fromkeys(pointers, 16), "n": 16},
        options=options,
        grid=grid,
    )


@pytest.mark.parametrize("arch", ["ivcore10", "ivcore11", "ivcore20", "bi-v150", "mr-v100"])
def test_a_kernel_is_taken_to_ttir(backend: Backend, kernels: ModuleType, arch: str) -> None:
    found = backend.compile(add(kernels), target(backend, arch))
    assert (found.stage, found.error, found.kernel) == (Stage.TTIR, "", "add")
    assert list(found.artefacts) == ["ttir"]
    assert b"tt.func public @add" in found.artefacts["ttir"]
    assert (found.note, found.resources.threads_per_block) == (NOTE, 256)
    assert "TTIR only" in found.note
    assert found.nanoseconds > 0


def test_stock_triton_is_never_asked_for_a_binary(
    backend: Backend, kernels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(launch: Launch, target: Target) -> None:
        raise AssertionError("stock Triton was asked")

    monkeypatch.setattr(compiling.stock, "compile_launch", refuse)
    assert backend.compile(add(kernels), target(backend, "bi-v150")).stage is Stage.TTIR


def test_limits_are_checked_all_the_same(backend: Backend, kernels: ModuleType) -> None:
    found = backend.compile(add(kernels, num_warps=128), target(backend, "ivcore11"))
    assert found.error == "out of resources: block size 8192 threads, limit 4096"
    assert found.note == NOTE


def test_the_grid_is_checked(backend: Backend, kernels: ModuleType) -> None:
    found = backend.compile(add(kernels, grid=(1, 70_000)), target(backend, "bi-v150"))
    assert found.error == "out of resources: grid axis 1 70000 programs, limit 65535"


def test_unknown_limits_refuse_nothing(backend: Backend, kernels: ModuleType) -> None:
    found = backend.compile(add(kernels, grid=(1, 70_000), num_warps=128), target(backend, "ivcore10"))
    assert (found.error, found.stage) == ("", Stage.TTIR)


def test_narrow_floats_are_taken(backend: Backend, kernels: ModuleType) -> None:
    signature = {"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"}
    found = backend.compile(Launch(kernels.narrow, signature, {"BLOCK": 128}), target(backend, "ivcore11"))
    assert (found.stage, found.error) == (Stage.TTIR, "")


def test_an_error_in_a_kernel_is_an_outcome(backend: Backend, kernels: ModuleType) -> None:
    launch = Launch(kernels.undefined, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = backend.compile(launch, target(backend, "ivcore11"))
    assert (found.stage, found.artefacts) == (Stage.NOTHING, {})
    assert found.error.startswith("CompilationError: ")
    assert "nowhere is not defined" in found.error


def test_stock_tritons_back_end_is_not_taken_for_iluvatars(backend: Backend) -> None:
    assert vendor_target(target(backend, "bi-v150")) is None


class CorexBackend:
    """A back end of Iluvatar's Triton, told by its module."""


CorexBackend.__module__ = "triton.backends.iluvatar.compiler"


@pytest.mark.parametrize(("knows", "name"), [(("corex", "cuda"), "corex"), (("cuda",), "cuda")])
def test_iluvatars_triton_is_asked_by_the_name_that_it_knows(
    backend: Backend,
    kernels: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    knows: tuple[str, ...],
    name: str,
) -> None:
    import triton.compiler.compiler as compiler

    asked: list[Target] = []

    def make_backend(chip: Any) -> CorexBackend:
        if chip.backend not in knows:
            raise RuntimeError(f"0 compatible backends for target ({chip.backend})")
        assert (chip.arch, chip.warp_size) == (71, 64)
        return CorexBackend()

    def compile_launch(launch: Launch, chip: Target) -> Any:
        asked.append(chip)
        return compiling.compile_ttir(launch, target(backend, "ivcore11"), "")

    ttir = backend.compile(add(kernels), target(backend, "ivcore11"))
    monkeypatch.setattr(compiling, "compile_ttir", lambda *_: ttir)
    monkeypatch.setattr(compiler, "make_backend", make_backend)
    monkeypatch.setattr(compiling.stock, "compile_launch", compile_launch)
    monkeypatch.setattr(stack, "installed", lambda module: Build("triton", "3.1.0+corex.4.4.0"))
    found = backend.compile(add(kernels), target(backend, "bi-v150"))
    assert [chip.triton_backend for chip in asked] == [name]
    assert found.note == "compiled by triton 3.1.0+corex.4.4.0"


def test_a_triton_whose_wheel_says_corex_is_iluvatars(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "installed", lambda module: Build("triton", "3.1.0+corex.4.4.0"))
    found = vendor_target(target(backend, "bi-v150"))
    assert found is not None
    assert found.triton_backend == "cuda"
