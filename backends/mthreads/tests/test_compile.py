"""Without MUSA's compiler a kernel comes as far as TTIR, and says so; with an imitation, the whole way."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgb_backend_mthreads import stack
from kgb_core.models import Target
from kgb_core.models.launch import CompileOutcome, Launch, Stage
from kgb_core.plugins import Backend

KERNELS = Path(__file__).with_name("kernels") / "small.py"


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_mthreads_small", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


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


def compiled(backend: Backend, launch: Launch, arch: str = "s4000") -> CompileOutcome:
    """The launch, compiled for a target."""
    target = next(target for target in backend.targets() if target.arch == arch)
    return backend.compile(launch, target)


@pytest.mark.parametrize(("arch", "threads"), [("mp_21", 512), ("s4000", 512), ("s5000", 128)])
def test_a_kernel_comes_as_far_as_ttir_and_says_so(
    backend: Backend, kernels: ModuleType, arch: str, threads: int
) -> None:
    found = compiled(backend, add(kernels), arch)
    assert (found.stage, found.error, found.kernel) == (Stage.TTIR, "", "add")
    assert b"tt.func public @add" in found.artefacts["ttir"]
    assert found.note.startswith("TTIR only, since the installed Triton has no MUSA back end: ")
    assert found.resources.threads_per_block == threads
    assert found.resources.shared_memory_bytes is None
    assert found.nanoseconds > 0


def test_attributes_and_constants_reach_the_form(backend: Backend, kernels: ModuleType) -> None:
    text = compiled(backend, add(kernels)).artefacts["ttir"]
    assert b"tt.divisibility = 16" in text
    assert b"tensor<1024xf32>" in text


@pytest.mark.parametrize(("asked", "threads"), [(4, 512), (8, 1024), (32, 1024)])
def test_the_vendor_lowers_warps_instead_of_refusing_them(
    backend: Backend, kernels: ModuleType, asked: int, threads: int
) -> None:
    found = compiled(backend, add(kernels, num_warps=asked))
    assert (found.error, found.resources.threads_per_block) == ("", threads)


def test_a_grid_over_the_limit_is_out_of_resources(backend: Backend, kernels: ModuleType) -> None:
    found = compiled(backend, add(kernels, grid=(1, 65536)))
    (excess,) = found.excesses
    assert found.error == "out of resources: grid axis 1 65536 programs, limit 65535"
    assert (excess.needed, excess.limit) == (65536, 65535)


def test_options_of_the_vendors_triton_are_no_error(backend: Backend, kernels: ModuleType) -> None:
    assert compiled(backend, add(kernels, en_wmma=True, num_stages=1)).error == ""


def test_narrow_floats_pass_where_only_the_chip_could_refuse(backend: Backend, kernels: ModuleType) -> None:
    signature = {"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"}
    assert compiled(backend, Launch(kernels.fp8, signature, {"BLOCK": 128}), "s5000").error == ""


def test_an_error_in_a_kernel_is_an_outcome(backend: Backend, kernels: ModuleType) -> None:
    launch = Launch(kernels.undefined, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = compiled(backend, launch)
    assert (found.stage, found.artefacts) == (Stage.NOTHING, {})
    assert found.error.startswith("CompilationError: ")
    assert "nowhere is not defined" in found.error
    assert found.note


def test_a_block_that_is_too_small_is_refused(backend: Backend, kernels: ModuleType) -> None:
    signature = {**dict.fromkeys(("a", "b", "out"), "*fp16"), "SIZE": "constexpr"}
    found = compiled(backend, Launch(kernels.matmul, signature, {"SIZE": 8}))
    assert found.stage is Stage.NOTHING
    assert found.error


def imitate(monkeypatch: pytest.MonkeyPatch, shared: int) -> None:
    """Give Triton a MUSA back end whose last stage writes a `mubin` that needs so much shared memory."""
    from triton.backends import Backend as Entry
    from triton.backends import backends
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend

    class MusaBackend:
        """The part before the chip is stock Triton's."""

        def __init__(self, target: Any) -> None:
            self.target = target
            self.binary_ext = "mubin"
            self._stock = CUDABackend(GPUTarget("cuda", 90, 32))

        @staticmethod
        def supports_target(target: Any) -> bool:
            return bool(target.backend == "musa")

        def add_stages(self, stages: dict[str, Any], options: Any, language: Any = None) -> None:
            self._stock.add_stages(stages, options, *filter(None, [language]))
            for name in [name for name in stages if name != "ttir"]:
                del stages[name]
            stages["mubin"] = self._mubin

        def _mubin(self, module: Any, metadata: dict[str, Any]) -> bytes:
            metadata.update(shared=shared, name="add")
            return b"\x7fMUSA"

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stock, name)

    monkeypatch.setitem(backends, "mthreads", Entry(MusaBackend, None))


@pytest.mark.parametrize(
    ("shared", "error"),
    [(1024, ""), (28673, "out of resources: shared memory 28673 bytes, limit 28672")],
)
def test_the_vendors_compiler_is_used_where_it_is_here(
    backend: Backend,
    kernels: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shared: int,
    error: str,
) -> None:
    imitate(monkeypatch, shared)
    monkeypatch.setattr(stack, "toolkit", lambda: tmp_path)
    found = compiled(backend, add(kernels), "mp_21")
    assert (found.stage, found.error, found.note) == (Stage.BINARY, error, "")
    assert found.artefacts["mubin"] == b"\x7fMUSA"
    assert (found.resources.shared_memory_bytes, found.resources.threads_per_block) == (shared, 512)


def test_the_vendors_triton_without_its_toolkit_is_told(
    backend: Backend, kernels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    imitate(monkeypatch, shared=1024)
    monkeypatch.setattr(stack, "toolkit", lambda: None)
    found = compiled(backend, add(kernels))
    assert (found.stage, found.error) == (Stage.TTIR, "")
    assert "since there is no MUSA toolkit in MUSA_HOME or" in found.note


def test_a_triton_without_any_back_end_is_told(
    backend: Backend, kernels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triton.backends import backends

    for name in list(backends):
        monkeypatch.delitem(backends, name)
    found = compiled(backend, add(kernels))
    assert found.stage is Stage.NOTHING
    assert found.error == "RuntimeError: the installed Triton has no back end that makes TTIR"


def test_all_targets_come_as_far(backend: Backend, kernels: ModuleType) -> None:
    targets: list[Target] = backend.targets()
    assert {backend.compile(add(kernels), target).stage for target in targets} == {Stage.TTIR}
